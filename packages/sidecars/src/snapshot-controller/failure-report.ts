import { formatTime, type KubernetesObject, type VolumeSnapshotError } from "@stowage/machinery";
import type { ObjectStore } from "./object-store.ts";
import type { SnapshotFailure } from "./snapshot-failure.ts";
import type { World } from "./world.ts";

interface WithError extends KubernetesObject {
  status?: { error?: VolumeSnapshotError };
}

/** As event and in the status; once, however often it happens. */
export async function reportFailure<T extends WithError>(
  { events, clock }: Pick<World, "events" | "clock">,
  store: ObjectStore<T>,
  object: T,
  failure: SnapshotFailure,
): Promise<void> {
  if (object.status?.error?.message === failure.text) return;
  events.event(object, "Warning", failure.reason, failure.text);
  await store.editStatus(object, {
    error: { message: failure.text, time: formatTime(clock.nowMs()) },
    ...(!failure.keepsReadiness && { readyToUse: false }),
  });
}
