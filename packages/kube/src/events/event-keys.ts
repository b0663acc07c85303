import type { Event } from "@stowage/machinery";

/** Events of one object from one source. */
export function subjectKey({ involvedObject, source }: Event): string {
  const { kind, namespace, name, uid, apiVersion } = involvedObject;
  return JSON.stringify([source?.component, source?.host, kind, namespace, name, uid, apiVersion]);
}

/** Events that say the same in other words: all alike but for the message, and for the part of the object. */
export function similarityKey(event: Event): string {
  return JSON.stringify([subjectKey(event), event.type, event.reason]);
}

/** Events that say the same. Not the object's version, which is another each time. */
export function identityKey(event: Event): string {
  return JSON.stringify([similarityKey(event), event.involvedObject.fieldPath, event.message]);
}
