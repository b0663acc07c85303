import type { Clock } from "@stowage/machinery";
import { trackUpdate } from "@stowage/machinery/apply";
import type { ResourceRegistry } from "../../resources/index.ts";
import { fieldsOf, metadataOf, type Strategies, textOf } from "../../strategies/index.ts";
import { objectKey } from "../../verbs/object-key.ts";
import { putObject } from "../../verbs/writes/stored-object.ts";
import type { AdmissionPlugin, ObjectAdmission } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { asJson } from "../resource-lists.ts";
import { usageRulesOf } from "./object-usage.ts";
import { type Charge, charges } from "./quota-check.ts";

export interface QuotaDeps {
  readonly registry: ResourceRegistry;
  readonly strategies: Strategies;
  readonly clock: Clock;
}

/** A namespace uses no more than its quotas allow. What is used is written with the object, or not at all. */
export function resourceQuota(deps: QuotaDeps): AdmissionPlugin {
  return {
    name: "ResourceQuota",
    validate(admission) {
      const { resource, namespace, cluster, isDryRun } = admission;
      if (namespace === "" || !resource.namespaced) return;
      const rules = usageRulesOf(resource.group, resource.plural);
      if (rules === undefined || !rules.handles(admission)) return;
      const quotas = cluster.list(clusterResources.quotas, namespace);
      if (quotas.length === 0) return;
      const due = charges(admission, rules, quotas, deps.clock.nowMs());
      if (!isDryRun) for (const charge of due) keepCharge(deps, admission, charge);
    },
  };
}

/** As the real server writes it: through the quota's status, as itself. */
function keepCharge(
  { registry, strategies, clock }: QuotaDeps,
  { transaction }: ObjectAdmission,
  charge: Charge,
): void {
  const { quota, used } = charge;
  const resource = registry.find({ group: "", version: "v1", plural: "resourcequotas" });
  const strategy = resource && strategies.find(resource, "status");
  if (resource === undefined || strategy === undefined) return;
  const { name, namespace } = metadataOf(quota);
  const next = { ...quota, status: { ...fieldsOf(quota["status"]), used: asJson(used) } };
  const nowMs = clock.nowMs();
  const object = trackUpdate(strategy.managed, { live: quota, next, manager: "kube-apiserver", nowMs });
  const key = objectKey(resource, { namespace: textOf(namespace), name: textOf(name) });
  putObject(transaction, { key, strategy, object, isDryRun: false });
  transaction.advance();
}
