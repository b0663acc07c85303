import { hash } from "node:crypto";
import type { Event } from "@stowage/machinery";

/** Events of one object from one source. */
export function subjectKey({ involvedObject, source }: Event): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return digest([source?.component, source?.host, kind, namespace, name, uid, apiVersion]);
}

/** Events that say the same in other words: all alike but for the message, and for the part of the object. */
export function similarityKey(event: Event): string {
  return digest([subjectKey(event), event.type, event.reason]);
}

/** Events that say the same. Not the object's version, which is another each time. */
export function identityKey(event: Event): string {
  return digest([similarityKey(event), event.involvedObject.fieldPath, event.message]);
}

/** Events with the same words, whatever they are about. */
export function messageKey({ message }: Event): string {
  return digest([message]);
}

/** Short, since thousands are remembered: 96 bits, of which no two will be alike. */
function digest(parts: readonly (string | undefined)[]): string {
  return hash("sha256", JSON.stringify(parts), "base64url").slice(0, 16);
}
