import { randomUUID } from "node:crypto";
import { dns1123SubdomainErrors, type Event, formatTime, type ObjectReference } from "@stowage/machinery";
import type { EventSource, EventSubject, EventType } from "./event-recorder.ts";
import { truncateMessage } from "./message-limit.ts";

/** Where events of objects without a namespace are: the API accepts no other, and `kubectl describe` looks there. */
const CLUSTER_SCOPED_NAMESPACE = "default";

export interface Occurrence {
  readonly subject: EventSubject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
  readonly source: EventSource;
  /** Nanoseconds since 1970, different for each occurrence: they become the name. */
  readonly timeNs: bigint;
}

/** The Event for something that happened once. */
export function eventObject({ subject, type, reason, message, source, timeNs }: Occurrence): Event {
  const involvedObject = referenceTo(subject);
  const time = formatTime(Number(timeNs / 1_000_000n));
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: {
      name: eventName(involvedObject.name ?? "", timeNs),
      namespace: involvedObject.namespace || CLUSTER_SCOPED_NAMESPACE,
    },
    involvedObject,
    reason,
    message: truncateMessage(message),
    type,
    source: { component: source.component, host: source.host },
    reportingComponent: source.component,
    reportingInstance: source.host ?? "",
    count: 1,
    firstTimestamp: time,
    lastTimestamp: time,
  };
}

function referenceTo(subject: EventSubject): ObjectReference {
  if (!("metadata" in subject)) return subject;
  const { apiVersion, kind, metadata } = subject;
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}

/** Names of objects such as `system:node` cannot be part of an Event's, and long ones leave no room for the time. */
function eventName(objectName: string, timeNs: bigint): string {
  const name = `${objectName}.${timeNs.toString(16)}`;
  return dns1123SubdomainErrors(name).length === 0 ? name : randomUUID();
}
