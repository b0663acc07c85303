import type { KubernetesObject, ObjectReference } from "@stowage/machinery";

export type EventType = "Normal" | "Warning";

/** The object that an event is about: itself, or a reference, which can also point at a part of it by `fieldPath`. */
export type EventSubject = KubernetesObject | ObjectReference;

/**
 * The seam through which components tell people what happened, for `kubectl describe` to show. Recording is free: it neither
 * waits nor fails, and an event may be counted with others like it or be lost.
 */
export interface EventRecorder {
  /** `reason` is one word for programs, `ProvisioningFailed`; `message` is for people. Neither may hold a secret. */
  event(subject: EventSubject, type: EventType, reason: string, message: string): void;
}

/** Who tells. */
export interface EventSource {
  /** `ebs.csi.aws.com_host_uuid`, `cluster-storage-operator`: shown as From. */
  readonly component: string;
  /** The node, for components that act for one. */
  readonly host?: string;
}
