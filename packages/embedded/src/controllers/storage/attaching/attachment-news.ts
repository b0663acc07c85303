import type { Informer } from "@stowage/kube";
import type { Clock, StowageError, VolumeAttachment } from "@stowage/machinery";

/** What a VolumeAttachment says of the work on it. */
export type Verdict = "done" | "under way" | StowageError;

/** An error may be that of an earlier try: it counts when nothing better has come by then. */
const ERROR_PATIENCE_MS = 500;

/** Waits for what attachers write into VolumeAttachments. */
export class AttachmentNews {
  readonly #informer: Pick<Informer<VolumeAttachment>, "objects" | "addHandler">;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(informer: Pick<Informer<VolumeAttachment>, "objects" | "addHandler">, clock: Clock) {
    this.#informer = informer;
    this.#clock = clock;
    informer.addHandler({ onKey: (name) => this.#waiting.get(name)?.forEach((wake) => wake()) });
  }

  get(name: string): VolumeAttachment | undefined {
    return this.#informer.objects.getByKey(name);
  }

  /** Resolves when the work is done; throws the verdict when it failed, and `late` when neither came in time. */
  async until(
    name: string,
    judge: (attachment: VolumeAttachment | undefined) => Verdict,
    { late, timeoutMs, signal }: { late: StowageError; timeoutMs: number; signal: AbortSignal },
  ): Promise<void> {
    const startedMs = this.#clock.monotonicMs();
    for (;;) {
      const verdict = judge(this.get(name));
      if (verdict === "done") return;
      const waitedMs = this.#clock.monotonicMs() - startedMs;
      if (verdict !== "under way" && waitedMs >= ERROR_PATIENCE_MS) throw verdict;
      if (waitedMs >= timeoutMs) throw late;
      const nextMs = waitedMs < ERROR_PATIENCE_MS ? ERROR_PATIENCE_MS : timeoutMs;
      await this.#newsOf(name, nextMs - waitedMs, signal);
    }
  }

  /** At the latest after that time. */
  async #newsOf(name: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const { promise: news, resolve } = Promise.withResolvers<void>();
    const awake = new AbortController();
    const waiting = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, waiting.add(resolve));
    const sleeping = this.#clock.sleep(timeoutMs, AbortSignal.any([signal, awake.signal])).catch(() => {});
    await Promise.race([news, sleeping]);
    waiting.delete(resolve);
    if (waiting.size === 0) this.#waiting.delete(name);
    awake.abort();
    signal.throwIfAborted();
  }
}
