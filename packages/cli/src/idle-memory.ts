import { getHeapStatistics } from "node:v8";

const CHECK_MS = 5_000;
/** Of one core; health checks every few seconds take a tenth of it. */
const IDLE_CPU_SHARE = 0.02;
const MINIMUM_GROWTH_BYTES = 1024 * 1024;
const MINIMUM_GROWTH_SHARE = 0.1;

export interface MemoryUse {
  /** Of the process since its start. */
  readonly cpuMs: number;
  readonly heapBytes: number;
}

export interface IdleMemoryDeps {
  measure(): MemoryUse;
  collect(): void;
}

/**
 * Gives memory back whenever the process has become idle. V8 collects when something is allocated, so what a burst of work left
 * behind, and the room it was made in, would otherwise stay until the next burst. Works where Node was started with `--expose-gc`,
 * which the bootstrap sees to. Does not keep the process alive.
 */
export function giveBackMemoryWhenIdle(deps: IdleMemoryDeps | undefined = nodeMemory()): Disposable {
  if (deps === undefined) return { [Symbol.dispose]: () => {} };
  let before = deps.measure();
  let collectedBytes = 0;
  const timer = setInterval(() => {
    const now = deps.measure();
    if (shouldCollect({ before, now, collectedBytes })) {
      deps.collect();
      collectedBytes = deps.measure().heapBytes;
    }
    before = deps.measure();
  }, CHECK_MS);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

export interface IdleMemoryState {
  readonly before: MemoryUse;
  readonly now: MemoryUse;
  /** What the last collection left. */
  readonly collectedBytes: number;
}

/** Only an idle process, since it pauses for some milliseconds, and only for a gain. */
export function shouldCollect({ before, now, collectedBytes }: IdleMemoryState): boolean {
  if (now.cpuMs - before.cpuMs > CHECK_MS * IDLE_CPU_SHARE) return false;
  return now.heapBytes - collectedBytes >= Math.max(MINIMUM_GROWTH_BYTES, collectedBytes * MINIMUM_GROWTH_SHARE);
}

function nodeMemory(): IdleMemoryDeps | undefined {
  const { gc } = globalThis;
  if (gc === undefined) return undefined;
  return {
    measure() {
      const { user, system } = process.cpuUsage();
      return { cpuMs: (user + system) / 1000, heapBytes: getHeapStatistics().used_heap_size };
    },
    // The flavor that also gives unused room back to the system.
    collect: () => gc({ type: "major", execution: "sync", flavor: "last-resort" }),
  };
}
