/**
 * Telling people what happened, where `kubectl describe` shows it. In reading order: `event-recorder.ts` (the seam),
 * `event-broadcaster.ts` (the real one), `event-object.ts` (what is written), `event-correlator.ts` (how many become few:
 * `repeat-counter.ts`, `similar-events.ts`, `spam-filter.ts`), then the way to the server: `event-intake.ts`,
 * `event-queue.ts`, `run-event-queue.ts`, `event-sender.ts`. `MemoryEventRecorder` is for tests.
 *
 * Events are written to core v1 and not to events.k8s.io, although both show the same objects: `count` and the time stamps
 * that `kubectl` prints can only be set there, and the original components write there too.
 */
export { type CorrelatorLimits, defaultCorrelatorLimits } from "./correlator-limits.ts";
export { createEventBroadcaster, type EventBroadcaster, type EventBroadcasterDeps } from "./event-broadcaster.ts";
export type { EventRecorder, EventSource, EventSubject, EventType } from "./event-recorder.ts";
export { MemoryEventRecorder, type RecordedEvent } from "./memory-event-recorder.ts";
