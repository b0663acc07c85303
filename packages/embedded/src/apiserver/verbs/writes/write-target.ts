import { randomUUID } from "node:crypto";
import type { JsonObject } from "@stowage/machinery/apply";
import { managerName } from "@stowage/machinery/apply";
import { methodNotSupported, methodNotSupportedOn, routeNotFound } from "../../answers/index.ts";
import type { ServedResource } from "../../resources/index.ts";
import type { Transaction } from "../../store/index.ts";
import type { Strategy } from "../../strategies/index.ts";
import type { ApiRequest } from "../api-request.ts";
import type { ReadDeps } from "../reads/index.ts";

/** What is about to be written, for those who have a say in it. */
export interface AdmittedWrite {
  readonly operation: "create" | "delete" | "update";
  readonly resource: ServedResource;
  readonly request: ApiRequest;
  /** Undefined when it is deleted. */
  readonly object: JsonObject | undefined;
  /** Undefined when it is created. */
  readonly old: JsonObject | undefined;
  readonly transaction: Transaction;
  readonly isDryRun: boolean;
  /** Those that the client gets; more may be added. */
  readonly warnings: string[];
}

export interface WriteDeps extends ReadDeps {
  /** May change what is written, or refuse it by throwing. Asked within the transaction, so it cannot wait. */
  readonly admit?: (write: AdmittedWrite) => JsonObject | undefined;
  /** May refuse what has been completed and checked, right before it is kept. Of what is created or updated. */
  readonly validate?: (write: AdmittedWrite) => void;
  /** Throws when whoever updates or applies may not create; asked when there is nothing to update. */
  readonly checkMayCreate?: (request: ApiRequest) => void;
  /** Between 0 and 1; for names. */
  readonly random?: () => number;
  readonly newUid?: () => string;
}

/** All that is known of a write before it begins. */
export interface WriteTarget {
  readonly deps: WriteDeps;
  readonly request: ApiRequest;
  readonly resource: ServedResource;
  readonly strategy: Strategy;
  /** Empty at the cluster's scope. */
  readonly namespace: string;
}

/** Throws when there is no such resource, or when it cannot be written in this way. */
export function writeTarget(deps: WriteDeps, request: ApiRequest): WriteTarget {
  const { group, version, resource: plural, subresource, verb, namespace, name, rest } = request.info;
  const resource = deps.registry.find({ group, version, plural });
  if (resource === undefined || rest.length > 0) throw routeNotFound();
  const isOfAll = verb === "deletecollection";
  // Over all namespaces there are lists alone.
  if (resource.namespaced && namespace === undefined) throw name === undefined ? methodNotSupported() : routeNotFound();
  const isPlaced = resource.namespaced || namespace === undefined || (group === "" && plural === "namespaces");
  if (!isPlaced) throw routeNotFound();
  const served = subresource === undefined ? resource : resource.subresources.find((part) => part.name === subresource);
  if (served === undefined) throw routeNotFound();
  const needsName = subresource !== undefined || (verb !== "create" && !isOfAll);
  if (!served.verbs.includes(verb) || needsName !== (name !== undefined)) {
    throw resource.definition === undefined || subresource === undefined
      ? methodNotSupported()
      : methodNotSupportedOn(resource, verb);
  }
  const strategy = deps.strategies.find(resource, subresource ?? "");
  if (strategy === undefined) throw routeNotFound();
  return { deps, request, resource, strategy, namespace: resource.namespaced ? (namespace ?? "") : "" };
}

export function managerOf({ request }: WriteTarget, fieldManager: string): string {
  return managerName(fieldManager, request.userAgent ?? "");
}

export function newUid({ deps }: WriteTarget): string {
  return deps.newUid?.() ?? randomUUID();
}
