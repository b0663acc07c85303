import { configMaps } from "@stowage/machinery";
import {
  type FeatureGateSource,
  featureGateSource,
  type OperatorController,
  operatorController,
  optionalInformer,
  type StatedCondition,
} from "@stowage/operator";
import { configNamespace, selinuxConflictsName } from "./names.ts";
import type { StorageOperatorContext } from "./storage-operator-context.ts";

// Renaming it leaves the old conditions behind.
const name = "SELinuxMountGAReadinessController";
const gate = "SELinuxMountGAReadiness";
const type = `${name}Upgradeable`;

/**
 * Holds the next upgrade back while Pods share a volume with labels that a later version will not allow. Who finds such Pods is the
 * controller manager of OpenShift. Does nothing, and says nothing, while the gate is off.
 * Watches: the Storage, FeatureGate, and, with the gate on, one ConfigMap. Writes conditions:
 * `SELinuxMountGAReadinessController{Upgradeable,Degraded}`.
 */
export function selinuxReadinessController(
  context: StorageOperatorContext,
  gates: FeatureGateSource = featureGateSource(context, context.env["OPERATOR_IMAGE_VERSION"]),
): OperatorController {
  const { informers, operator: client } = context;
  const place = { namespace: configNamespace, name: selinuxConflictsName };
  // Begun by the first sync that finds the gate on: ConfigMaps are served everywhere.
  const conflicts = optionalInformer(
    { mapper: { has: async () => true }, informers },
    { type: configMaps, selection: { namespace: place.namespace, fieldSelector: `metadata.name=${place.name}` } },
  );
  return operatorController(context, {
    name,
    watches: [gates, { feed: (controller) => conflicts.feed(controller), waitForSync: async () => {} }],
    resyncMs: 60_000,
    async sync({ operator, signal }) {
      const isOn = (await gates.enabled(signal)).has(gate);
      const isSaid = operator.status?.conditions?.some((condition) => condition.type === type) ?? false;
      if (!isOn && !isSaid) return;
      const reported = isOn ? (await conflicts.objects(signal))?.get(place)?.data : undefined;
      const conditions = isOn ? [readinessCondition(reported)] : [];
      await client.applyStatus(name, { conditions }, signal);
    },
  });
}

/** Nothing reported means that nothing was found: whoever reports does so only when there is something to tell. */
export function readinessCondition(reported: Readonly<Record<string, string>> | undefined): StatedCondition {
  if (reported?.["conflictsPresent"] !== "True") return { type, status: "True", reason: "AsExpected" };
  return {
    type,
    status: "False",
    reason: "SELinuxConflictsPresent",
    message:
      "Some Pods share a volume with different SELinux labels, which the next version does not allow. Give them the same label, " +
      "or set seLinuxChangePolicy: Recursive in them; the metric selinux_warning_controller_selinux_volume_conflict names them.",
  };
}
