import type { EventRecorder, EventSubject } from "@stowage/kube";

/** An operator's events are all about one object: its own Deployment, or its resource. */
export interface OperatorEvents {
  normal(reason: string, message: string): void;
  warning(reason: string, message: string): void;
}

export function operatorEvents(recorder: EventRecorder, subject: EventSubject): OperatorEvents {
  return {
    normal: (reason, message) => recorder.event(subject, "Normal", reason, message),
    warning: (reason, message) => recorder.event(subject, "Warning", reason, message),
  };
}
