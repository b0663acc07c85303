import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, fieldErrorText, notSupported, required } from "@stowage/machinery/structural";
import { conflict, notFound, routeNotFound } from "../../answers/index.ts";
import type { Transaction } from "../../store/index.ts";
import { fieldsOf, listOf, metadataOf, specOf, textOf, withFields, withMetadata } from "../../strategies/index.ts";
import type { ApiAnswer, ApiRequest } from "../../verbs/index.ts";
import { objectKey } from "../../verbs/object-key.ts";
import { preconditionProblem } from "../../verbs/writes/deletion-plan.ts";
import { checkNamespace } from "../../verbs/writes/namespace-check.ts";
import { liveObject, putObject } from "../../verbs/writes/stored-object.ts";
import { unexpected } from "../../verbs/writes/write-errors.ts";
import { writeOptions } from "../../verbs/writes/write-options.ts";
import type { WriteDeps, WriteTarget } from "../../verbs/writes/write-target.ts";
import { parentTarget } from "../parent-target.ts";
import { withPodCondition } from "./pod-conditions.ts";
import { checkPartName, doneText, sentPart } from "./sent-part.ts";

const bindingKind = { group: "", version: "v1", kind: "Binding" };

/** `pods/NAME/binding`: puts a Pod on a node. */
export async function bindPod(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  return await bind(deps, parentTarget(deps, request));
}

/** `bindings`: the same, from before there were subresources. The Pod is named by the object. */
export async function createBinding(deps: WriteDeps, request: ApiRequest): Promise<ApiAnswer> {
  const resource = deps.registry.find({ group: "", version: "v1", plural: "pods" });
  const strategy = resource && deps.strategies.find(resource);
  const { namespace } = request.info;
  if (resource === undefined || strategy === undefined || namespace === undefined) throw routeNotFound();
  return await bind(deps, { deps, request, resource, strategy, namespace });
}

async function bind(deps: WriteDeps, target: WriteTarget): Promise<ApiAnswer> {
  const { request } = target;
  const options = writeOptions("CreateOptions", request.query);
  const { object, warnings } = sentPart(deps, target, bindingKind, options);
  const { isDryRun } = options;
  await deps.store.transact((transaction) => {
    checkNamespace(transaction, target, object);
    const write = { operation: "create", resource: target.resource, request, old: undefined, transaction } as const;
    const binding = deps.admit?.({ ...write, object, isDryRun, warnings }) ?? object;
    if (request.info.name !== undefined) checkPartName(request, binding, "Binding");
    const errors = bindingErrors(binding).map(fieldErrorText);
    if (errors.length > 0) throw unexpected(errors.length === 1 ? (errors[0] ?? "") : `[${errors.join(", ")}]`);
    deps.validate?.({ ...write, object: binding, isDryRun, warnings });
    assign(transaction, target, binding, isDryRun);
  });
  return { code: 201, body: doneText(), warnings };
}

function bindingErrors({ target }: JsonObject): FieldError[] {
  const { kind, name } = fieldsOf(target);
  const isKnown = textOf(kind) === "" || kind === "Node";
  return [
    ...(isKnown ? [] : [notSupported("target.kind", textOf(kind), ["Node", "<empty>"])]),
    ...(textOf(name) === "" ? [required("target.name", "")] : []),
  ];
}

function assign(transaction: Transaction, target: WriteTarget, binding: JsonObject, isDryRun: boolean): void {
  const { deps, resource, namespace, strategy } = target;
  const { name: given, uid, resourceVersion, annotations, labels } = metadataOf(binding);
  const name = textOf(given);
  const key = objectKey(resource, { namespace, name });
  const existing = transaction.get(key);
  if (existing === undefined) throw notFound(resource, name);
  const pod = liveObject(strategy, existing);
  const named = { ...target, request: { ...target.request, info: { ...target.request.info, name } } };
  const preconditions = { uid: textOf(uid) || undefined, resourceVersion: textOf(resourceVersion) || undefined };
  const problem = preconditionProblem(named, pod, preconditions);
  if (problem !== undefined) throw conflict(resource, name, problem);
  const why = unassignable(pod, name);
  if (why !== undefined) throw conflict({ group: "", plural: "pods/binding" }, name, why);
  const { name: nodeName } = fieldsOf(binding["target"]);
  const placed = {
    ...pod,
    spec: { ...specOf(pod), nodeName: textOf(nodeName) },
    status: withFields(fieldsOf(pod["status"]), { nominatedNodeName: undefined }),
  };
  const marked = withMetadata(placed, {
    annotations: merged(metadataOf(pod)["annotations"], annotations),
    labels: merged(metadataOf(pod)["labels"], labels),
  });
  const object = withPodCondition(marked, { type: "PodScheduled", status: "True" }, deps.clock.nowMs());
  putObject(transaction, { key, strategy, object, isDryRun });
}

function merged(known: JsonObject[string] | undefined, added: JsonObject[string] | undefined): JsonObject | undefined {
  const all = { ...fieldsOf(known), ...fieldsOf(added) };
  return Object.keys(all).length === 0 ? undefined : all;
}

function unassignable(pod: JsonObject, name: string): string | undefined {
  const { nodeName, schedulingGates } = specOf(pod);
  if (metadataOf(pod)["deletionTimestamp"] !== undefined) {
    return `pod ${name} is being deleted, cannot be assigned to a host`;
  }
  if (textOf(nodeName) !== "") return `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`;
  return listOf(schedulingGates).length > 0 ? `pod ${name} has non-empty .spec.schedulingGates` : undefined;
}
