import { ApiStatusError } from "@stowage/kube";
import { hasErrorCode, type KubernetesObject, StowageError } from "@stowage/machinery";
import type { OperatorEvents } from "../operator-client/operator-events.ts";
import { groupOf } from "./loose-object.ts";

/** Reasons and words are the originals': alerts and people know them. */
export type ObjectAct = "create" | "update" | "delete";

const past = { create: "Created", update: "Updated", delete: "Deleted" } as const;
const reasonStem = { create: "Create", update: "Update", delete: "Delete" } as const;
const because = { create: " because it was missing", update: " because it changed", delete: "" } as const;

export function reportDone(events: OperatorEvents, act: ObjectAct, object: KubernetesObject, details?: string): void {
  const tail = details === undefined ? because[act] : `:\n${details}`;
  events.normal(`${object.kind}${past[act]}`, `${past[act]} ${cliName(object)}${tail}`);
}

export function reportFailed(events: OperatorEvents, act: ObjectAct, object: KubernetesObject, error: unknown): void {
  events.warning(
    `${object.kind}${reasonStem[act]}Failed`,
    `Failed to ${act} ${cliName(object)}: ${failureText(object, error)}`,
  );
}

/** `Deployment.apps/name -n namespace`: can be pasted after `kubectl get`. */
export function cliName(object: KubernetesObject): string {
  const group = groupOf(object);
  const { name, namespace } = object.metadata;
  return `${object.kind}${group && `.${group}`}/${name}${namespace ? ` -n ${namespace}` : ""}`;
}

/** The server's words about a Secret may quote what is in it. */
function failureText({ kind }: KubernetesObject, error: unknown): string {
  if (kind === "Secret" && error instanceof ApiStatusError) return error.reason;
  if (kind === "Secret" && !(error instanceof StowageError)) return "an error that may quote its content";
  return error instanceof Error ? error.message : String(error);
}

/** The kind is one of an API that this cluster does not have. */
export function isKindMissing(error: unknown): boolean {
  return hasErrorCode(error, "KIND_NOT_SERVED");
}
