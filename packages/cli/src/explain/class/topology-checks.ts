import {
  csiNodes,
  csiStorageCapacities,
  type Node,
  nodes,
  type PersistentVolumeClaim,
  Quantity,
  type StorageClass,
} from "@stowage/machinery";
import { requested } from "../claim/volume-fit.ts";
import type { Facts } from "../facts.ts";
import { type Finding, field } from "../finding.ts";
import { remove } from "../mending.ts";
import { classOf } from "./class-checks.ts";

/** The class allows only places that no node is in. */
export async function topologyWithoutNode(storageClass: StorageClass, facts: Facts): Promise<Finding | undefined> {
  const { allowedTopologies = [] } = storageClass;
  if (allowedTopologies.length === 0) return undefined;
  const all = await facts.list(nodes);
  if (all.some((node) => isAllowed(storageClass, node))) return undefined;
  const keys = allowedTopologies.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.map(({ key }) => key),
  );
  const present = [...new Set(all.flatMap(({ metadata }) => keys.flatMap((key) => metadata.labels?.[key] ?? [])))];
  return {
    cause: "TOPOLOGY_WITHOUT_NODE",
    says: `StorageClass "${storageClass.metadata.name}" allows places in which there is no node.`,
    evidence: [
      field(storageClass, "allowedTopologies", allowedTopologies),
      { object: `${all.length} Nodes`, field: keys.join(", "), value: present.join(", ") || "none has such a label" },
    ],
    mend: [
      `kubectl get nodes -L ${keys.join(",")}`,
      `kubectl get storageclass ${storageClass.metadata.name} -o json | jq 'del(.allowedTopologies)' | kubectl replace --force -f -`,
    ],
  };
}

export async function topologyOfClaim(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const storageClass = await classOf(claim, facts);
  return storageClass && topologyWithoutNode(storageClass, facts);
}

function isAllowed({ allowedTopologies = [] }: StorageClass, { metadata }: Node): boolean {
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(metadata.labels?.[key] ?? "")),
  );
}

/** The driver publishes what room there is, and nowhere is there enough. */
export async function capacityTooSmall(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const storageClass = await classOf(claim, facts);
  if (storageClass === undefined) return undefined;
  const published = (await facts.list(csiStorageCapacities)).filter(
    ({ storageClassName }) => storageClassName === storageClass.metadata.name,
  );
  const size = requested(claim);
  const room = published.map((each) => Quantity.fromJson(each.maximumVolumeSize ?? each.capacity ?? "0"));
  if (published.length === 0 || room.some((each) => each.compare(size) >= 0)) return undefined;
  return {
    cause: "CAPACITY_TOO_SMALL",
    says: `The claim asks for ${size.toString()}, and in none of ${published.length} places is there so much room.`,
    evidence: published.map((each, index) => field(each, "capacity", room[index]?.toString() ?? "0")),
    mend: [`kubectl get csistoragecapacities -A`, remove(claim)],
  };
}

/** A driver that has to do with places, on no node at all. */
export async function driverOnNoNode(claim: PersistentVolumeClaim, facts: Facts): Promise<Finding | undefined> {
  const storageClass = await classOf(claim, facts);
  if (storageClass === undefined) return undefined;
  const all = await facts.list(csiNodes);
  const { provisioner } = storageClass;
  const events = await facts.eventsOf(claim);
  const isUnplaced = events.some(({ message = "" }) => /topology/iu.test(message) && /CSINode|node/u.test(message));
  if (!isUnplaced || all.some(({ spec }) => (spec.drivers ?? []).some(({ name }) => name === provisioner)))
    return undefined;
  return {
    cause: "DRIVER_ON_NO_NODE",
    says: `Driver ${provisioner} is registered on none of ${all.length} nodes, so that nobody knows where volumes may be.`,
    evidence: [{ object: `${all.length} CSINodes`, field: "spec.drivers", value: `none has ${provisioner}` }],
    mend: [
      `kubectl get csinodes -o custom-columns=NODE:.metadata.name,DRIVERS:.spec.drivers[*].name`,
      "kubectl get daemonsets -A",
    ],
  };
}
