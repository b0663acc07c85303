import type { HandlerRegistration, Informer } from "@stowage/kube";
import type { Clock, PersistentVolume, PersistentVolumeClaim } from "@stowage/machinery";

/** Somebody who waits looks again after so long at the latest: the time that he waits at most runs out without any news. */
const LONGEST_MS = 10_000;

/** Lets those that wait for claims and volumes know that one has changed. */
export function createChangeBell(
  [claims, volumes]: readonly [Informer<PersistentVolumeClaim>, Informer<PersistentVolume>],
  clock: Clock,
) {
  let next = Promise.withResolvers<void>();
  const ring = () => {
    next.resolve();
    next = Promise.withResolvers();
  };
  const handler = { onAdd: ring, onUpdate: ring, onDelete: ring };
  return {
    listen: (): HandlerRegistration[] => [claims.addHandler(handler), volumes.addHandler(handler)],
    async nextChange(signal: AbortSignal): Promise<void> {
      const ended = new AbortController();
      const sleep = clock.sleep(LONGEST_MS, AbortSignal.any([signal, ended.signal])).catch(() => {});
      await Promise.race([next.promise, sleep]).finally(() => ended.abort());
    },
  };
}
