import type { EventRecorder, EventSubject, EventType } from "./event-recorder.ts";

export interface RecordedEvent {
  readonly subject: EventSubject;
  readonly type: EventType;
  readonly reason: string;
  readonly message: string;
}

/** Keeps every event as it was recorded: for the tests of whoever records. */
export class MemoryEventRecorder implements EventRecorder {
  readonly events: RecordedEvent[] = [];

  event(subject: EventSubject, type: EventType, reason: string, message: string): void {
    this.events.push({ subject, type, reason, message });
  }

  /** `Warning ProvisioningFailed no space left`, one per event: short to assert on. */
  get lines(): string[] {
    return this.events.map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }
}
