import type { JsonObject } from "@stowage/machinery/apply";
import { badRequest, routeNotFound } from "../../answers/index.ts";
import type { ServedResource } from "../../resources/index.ts";
import { metadataOf, textOf } from "../../strategies/index.ts";
import type { ApiRequest } from "../../verbs/index.ts";
import { inNamespace } from "../../verbs/writes/namespace-check.ts";
import { sentObject } from "../../verbs/writes/request-body.ts";
import type { WriteOptions } from "../../verbs/writes/write-options.ts";
import type { WriteDeps, WriteTarget } from "../../verbs/writes/write-target.ts";

/** A kind that is sent to have something done, and is not kept. */
export type SentKind = Pick<ServedResource, "group" | "kind" | "version">;

export interface SentPart {
  readonly object: JsonObject;
  readonly warnings: string[];
}

const resources = new Map<string, ServedResource>();

/** Made once for each kind: strategies are kept by the resource that they are for. */
function resourceOf({ resource }: WriteTarget, kind: SentKind): ServedResource {
  const key = `${kind.group}/${kind.version}/${kind.kind}`;
  const known = resources.get(key) ?? { ...resource, ...kind, subresources: [] };
  resources.set(key, known);
  return known;
}

/** The object of the body, in the namespace of the path. */
export function sentPart(deps: WriteDeps, target: WriteTarget, kind: SentKind, options: WriteOptions): SentPart {
  const strategy = deps.strategies.find(resourceOf(target, kind));
  if (strategy === undefined) throw routeNotFound();
  const sent = sentObject(strategy, target.request, options.fieldValidation);
  return { object: inNamespace(sent.object, target.namespace), warnings: [...sent.warnings] };
}

/** It has to repeat the name of the path. */
export function checkPartName({ info }: ApiRequest, object: JsonObject, kind: string): void {
  if (textOf(metadataOf(object)["name"]) === info.name) return;
  throw badRequest(`name in URL does not match name in ${kind} object`);
}

/** That it has been done. */
export function doneText(): string {
  return JSON.stringify({ kind: "Status", apiVersion: "v1", metadata: {}, status: "Success", code: 201 });
}
