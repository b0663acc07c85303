import { type JsonObject, trackUpdate } from "@stowage/machinery/apply";
import { conflict, notFound } from "../../answers/index.ts";
import type { Transaction } from "../../store/index.ts";
import { fieldsOf, metadataOf, numberOf, textOf, textsOf } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../../verbs/index.ts";
import { keyPrefix, objectKey } from "../../verbs/object-key.ts";
import type { DeleteOptions } from "../../verbs/writes/delete-options.ts";
import { checkNamespace } from "../../verbs/writes/namespace-check.ts";
import { removeObject } from "../../verbs/writes/object-deletion.ts";
import { liveObject, putObject } from "../../verbs/writes/stored-object.ts";
import { unexpected } from "../../verbs/writes/write-errors.ts";
import { writeOptions } from "../../verbs/writes/write-options.ts";
import type { WriteDeps, WriteTarget } from "../../verbs/writes/write-target.ts";
import { parentTarget } from "../parent-target.ts";
import { coversPod, disrupted, isNoLoss } from "./disruption-budget.ts";
import { withPodCondition } from "./pod-conditions.ts";
import { checkPartName, doneText, sentPart } from "./sent-part.ts";

const evictionKind = { group: "policy", version: "v1", kind: "Eviction" };
const budgetRef = { group: "policy", version: "v1", plural: "poddisruptionbudgets" };

/** `pods/NAME/eviction`: deletes a Pod, unless the budgets of its namespace have it stay. */
export async function evictPod(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const target = parentTarget(deps, request);
  const options = writeOptions("CreateOptions", request.query);
  const { object, warnings } = sentPart(deps, target, evictionKind, options);
  const deletion = deletionOf(object, request.query.getAll("dryRun"));
  await deps.store.transact((transaction) => {
    checkNamespace(transaction, target, object);
    const write = { operation: "create", resource: target.resource, request, old: undefined, transaction } as const;
    const { isDryRun } = deletion;
    const eviction = deps.admit?.({ ...write, object, isDryRun, warnings }) ?? object;
    checkPartName(request, eviction, "Eviction");
    deps.validate?.({ ...write, object: eviction, isDryRun, warnings });
    prepareEviction(transaction, target, deletion);
  });
  const { preconditions } = deletion;
  // The version that was asked for has been found, and the Pod marked since.
  await removeObject(target, request.info.name ?? "", { ...deletion, preconditions: { uid: preconditions.uid } });
  return { code: 201, body: doneText(), warnings };
}

/** What the eviction says of how the Pod is to be deleted. */
function deletionOf({ deleteOptions }: JsonObject, asked: readonly string[]): DeleteOptions {
  const sent = fieldsOf(deleteOptions);
  const said = textsOf(sent["dryRun"]);
  if (said.length > 0 && asked.length > 0 && said.join(" ") !== asked.join(" ")) {
    const both = `[${asked.join(" ")}] and [${said.join(" ")}]`;
    throw unexpected(`Non-matching dry-run options in request and content: ${both}`);
  }
  const { uid, resourceVersion } = fieldsOf(sent["preconditions"]);
  const { orphanDependents, propagationPolicy, gracePeriodSeconds } = sent;
  return {
    gracePeriodSeconds: numberOf(gracePeriodSeconds),
    orphanDependents: typeof orphanDependents === "boolean" ? orphanDependents : undefined,
    propagationPolicy: textOf(propagationPolicy) || undefined,
    preconditions: { uid: textOf(uid) || undefined, resourceVersion: textOf(resourceVersion) || undefined },
    isDryRun: said.length > 0 || asked.length > 0,
  };
}

/** Charges the budget, and says on the Pod why it goes. */
function prepareEviction(transaction: Transaction, target: WriteTarget, deletion: DeleteOptions): void {
  const { deps, resource, namespace, strategy, request } = target;
  const name = request.info.name ?? "";
  const key = objectKey(resource, { namespace, name });
  const existing = transaction.get(key);
  if (existing === undefined) throw notFound(resource, name);
  const pod = liveObject(strategy, existing);
  if (!isFreeToGo(pod)) chargeBudget(transaction, target, pod, deletion.isDryRun);
  checkPreconditions(pod, name, deletion);
  if (deletion.isDryRun) return;
  const condition = {
    type: "DisruptionTarget",
    status: "True",
    reason: "EvictionByEvictionAPI",
    message: "Eviction API: evicting",
  } as const;
  const object = withPodCondition(pod, condition, deps.clock.nowMs());
  putObject(transaction, { key, strategy, object, isDryRun: false });
}

/** One that does not run is no disruption. */
function isFreeToGo(pod: JsonObject): boolean {
  const phase = textOf(fieldsOf(pod["status"])["phase"]);
  return ["Succeeded", "Failed", "Pending"].includes(phase) || metadataOf(pod)["deletionTimestamp"] !== undefined;
}

function chargeBudget(transaction: Transaction, target: WriteTarget, pod: JsonObject, isDryRun: boolean): void {
  const { deps, namespace } = target;
  const resource = deps.registry.find(budgetRef);
  const strategy = resource && deps.strategies.find(resource, "status");
  if (resource === undefined || strategy === undefined) return;
  const keys = (deps.store.list(keyPrefix(resource, namespace))?.objects ?? []).map((each) => each.key);
  const budgets = keys
    .map((key) => transaction.get(key))
    .filter((each) => each !== undefined)
    .map((stored) => ({ key: stored.key, budget: liveObject(strategy, stored) }))
    .filter(({ budget }) => coversPod(budget, pod));
  if (budgets.length > 1) throw unexpected(severalBudgets);
  const [found] = budgets;
  if (found === undefined || isNoLoss(found.budget, pod)) return;
  const { key, budget } = found;
  const nowMs = deps.clock.nowMs();
  const next = disrupted(budget, textOf(metadataOf(pod)["name"]), nowMs);
  const object = trackUpdate(strategy.managed, { live: budget, next, manager: "kube-apiserver", nowMs });
  putObject(transaction, { key, strategy, object, isDryRun });
  if (!isDryRun) transaction.advance();
}

const severalBudgets =
  "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";

function checkPreconditions(pod: JsonObject, name: string, { preconditions, isDryRun }: DeleteOptions): void {
  if (isDryRun) return;
  const { uid, resourceVersion } = preconditions;
  const found = metadataOf(pod);
  const kind = { group: "", plural: "Pod" };
  const differs = (what: string, wanted: string, then: string) =>
    conflict(
      kind,
      name,
      `the ${what} in the precondition (${wanted}) does not match the ${what} in record (${textOf(found[fieldOf(what)])}). ` +
        `The object might have been ${then}`,
    );
  if (uid !== undefined && uid !== found["uid"]) throw differs("UID", uid, "deleted and then recreated");
  if (resourceVersion !== undefined && resourceVersion !== found["resourceVersion"]) {
    throw differs("ResourceVersion", resourceVersion, "modified");
  }
}

function fieldOf(what: string): string {
  return what === "UID" ? "uid" : "resourceVersion";
}
