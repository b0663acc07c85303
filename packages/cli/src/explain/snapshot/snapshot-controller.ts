import { leases, type VolumeGroupSnapshot, type VolumeSnapshot } from "@stowage/machinery";
import { SNAPSHOT_CONTROLLER_LEASE } from "@stowage/sidecars";
import { allWorkloads, isHeld } from "../driver/driver-workloads.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field } from "../finding.ts";

/** Of one, or of a group: the same controller has both. */
export async function controllerDown(
  snapshot: VolumeSnapshot | VolumeGroupSnapshot,
  facts: Facts,
): Promise<Finding | undefined> {
  const hasActed = snapshot.status !== undefined || (await facts.eventsOf(snapshot)).length > 0;
  if (hasActed || (snapshot.metadata.finalizers ?? []).length > 0) return undefined;
  const held = await facts.list(leases, { fieldSelector: `metadata.name=${SNAPSHOT_CONTROLLER_LEASE}` });
  if (held.some((lease) => isHeld(lease, facts.nowMs))) return undefined;
  const workloads = (await allWorkloads(facts)).filter(({ spec }) =>
    spec.containers.some(({ name, image = "" }) => `${name} ${image}`.includes("snapshot-controller")),
  );
  if (workloads.some(({ available }) => available > 0)) return undefined;
  const [workload] = workloads;
  const { name, namespace } = workload?.object.metadata ?? {};
  return {
    cause: "SNAPSHOT_CONTROLLER_ABSENT",
    says: "Nobody has taken up the snapshot: the snapshot controller does not run.",
    evidence:
      workload === undefined
        ? [
            { object: `Lease ${SNAPSHOT_CONTROLLER_LEASE}`, value: "is held by nobody" },
            field(snapshot, "status", "not set"),
          ]
        : [
            field(workload.object, "status.availableReplicas", workload.available),
            field(snapshot, "status", "not set"),
          ],
    mend:
      workload === undefined
        ? ["kubectl get pods -A | grep snapshot-controller", "kubectl apply -f SNAPSHOT-CONTROLLER.yaml"]
        : [`kubectl scale ${workload.object.kind.toLowerCase()} ${name} -n ${namespace} --replicas=1`],
  };
}
