import { type PatchField, patchKinds, patchTypes } from "../api/generated/patch-schema.ts";
import type { KubernetesObject } from "../api/resource-type.ts";
import { StowageError } from "../errors/stowage-error.ts";

/** A place inside an object: what is known of its type, and its path for messages. */
export interface Place {
  readonly type: string | undefined;
  readonly path: string;
}

/** How strategic merge patch treats one field. */
export interface FieldRule {
  /** Lists are merged by key, or as sets; objects are always merged unless they are replaced. */
  readonly merges: boolean;
  readonly replaces: boolean;
  /** Whether a computed patch lists the fields that stay, so that those of another kind of value go. */
  readonly retainsKeys: boolean;
  readonly mergeKey: string | undefined;
  /** The field itself, or each of its items. */
  readonly place: Place;
}

/** The root of an object. Kinds that are not built in have no rules: the server refuses to patch them this way, too. */
export function rootOf(object: Pick<KubernetesObject, "apiVersion" | "kind">): Place {
  const kind = `${object.apiVersion}/${object.kind}`;
  if (!Object.hasOwn(patchKinds, kind)) {
    throw new StowageError("STRATEGIC_MERGE_UNSUPPORTED", `Strategic merge patch is not supported for ${kind}`);
  }
  return { type: patchKinds[kind], path: "" };
}

export function ruleOf(parent: Place, name: string): FieldRule {
  const field = knownField(parent.type, name);
  return {
    merges: field?.strategy === "merge" || field?.strategy === "merge,retainKeys",
    replaces: field?.strategy === "replace",
    retainsKeys: field?.strategy === "retainKeys" || field?.strategy === "merge,retainKeys",
    mergeKey: field?.mergeKey,
    place: { type: field?.type, path: parent.path === "" ? name : `${parent.path}.${name}` },
  };
}

/** Names come from the patch: `constructor` must not find what every object inherits. */
function knownField(type: string | undefined, name: string): PatchField | undefined {
  const fields = type === undefined ? undefined : patchTypes[type];
  return fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined;
}
