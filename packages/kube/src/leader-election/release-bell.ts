import { type Lease, type Logger, leases, systemClock } from "@stowage/machinery";
import type { KubeClient } from "../client/kube-client.ts";
import type { LeaseRef } from "./held-lease.ts";

const WATCH_AGAIN_MS = 1_000;

/** Wakes a waiting contender as soon as a lease becomes free. Where the lease cannot be watched, it simply waits. */
export interface ReleaseBell {
  wait(durationMs: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export interface BellOptions {
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Told of every state of the lease as soon as it is known here. */
  onSeen(lease: Lease): void;
}

export function startReleaseBell(
  client: KubeClient,
  ref: LeaseRef,
  { logger, signal: parent, onSeen }: BellOptions,
): ReleaseBell {
  const stopped = new AbortController();
  const stop = () => stopped.abort();
  parent.addEventListener("abort", stop, { once: true });
  let hasRung = false;
  let wake: (() => void) | undefined;
  void listenForRelease(client, ref, { logger, signal: stopped.signal, onSeen }, () => {
    hasRung = true;
    wake?.();
  });
  return {
    async wait(durationMs, signal) {
      signal.throwIfAborted();
      if (!hasRung) {
        const early = new AbortController();
        const end = () => early.abort();
        signal.addEventListener("abort", end, { once: true });
        wake = end;
        await systemClock.sleep(durationMs, early.signal).catch(() => {});
        wake = undefined;
        signal.removeEventListener("abort", end);
      }
      hasRung = false;
      signal.throwIfAborted();
    },
    stop() {
      parent.removeEventListener("abort", stop);
      stop();
    },
  };
}

async function listenForRelease(
  client: KubeClient,
  ref: LeaseRef,
  { logger, signal, onSeen }: BellOptions,
  onRelease: () => void,
): Promise<void> {
  const selection = { namespace: ref.namespace, fieldSelector: `metadata.name=${ref.name}`, signal };
  while (!signal.aborted) {
    try {
      await client.watch(leases, selection, ({ type, object }) => {
        onSeen(object);
        if (type === "DELETED" || !object.spec?.holderIdentity) onRelease();
      });
    } catch (error) {
      if (!signal.aborted) logger.debug({ lease: ref, error }, "the lease cannot be watched now; it is polled");
    }
    await systemClock.sleep(WATCH_AGAIN_MS, signal).catch(() => {});
  }
}
