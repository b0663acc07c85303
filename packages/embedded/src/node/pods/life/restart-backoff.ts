const INITIAL_MS = 10_000;
const MAXIMUM_MS = 300_000;

interface Kept {
  readonly waitMs: number;
  readonly sinceMs: number;
}

/**
 * How long a container that ended waits before it starts again: not at all the first time, then 10 s and twice as long each time, up to five
 * minutes. One that ran for ten minutes begins anew.
 */
export class RestartBackoff {
  readonly #kept = new Map<string, Kept>();

  /** Until when a container that ended at that time waits; undefined when it need not. */
  waitsUntilMs(name: string, finishedMs: number, nowMs: number): number | undefined {
    const kept = this.#kept.get(name);
    if (kept === undefined || isOver(kept, finishedMs)) return undefined;
    const untilMs = finishedMs + kept.waitMs;
    return untilMs > nowMs ? untilMs : undefined;
  }

  /** It starts again, after having ended at that time. */
  started(name: string, finishedMs: number, nowMs: number): void {
    const kept = this.#kept.get(name);
    const waitMs = kept === undefined || isOver(kept, finishedMs) ? INITIAL_MS : Math.min(MAXIMUM_MS, kept.waitMs * 2);
    this.#kept.set(name, { waitMs, sinceMs: nowMs });
  }

  /** What it waits for now. */
  waitMs(name: string): number {
    return this.#kept.get(name)?.waitMs ?? 0;
  }
}

function isOver({ sinceMs }: Kept, finishedMs: number): boolean {
  return finishedMs - sinceMs > 2 * MAXIMUM_MS;
}
