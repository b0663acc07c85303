import { appendFileSync, readFileSync } from "node:fs";

/** Up to which byte a log had come, and when. */
interface LogMark {
  readonly size: number;
  readonly timeMs: number;
}

/** What comes within this time counts as said at once. */
const GRAIN_MS = 10;

/**
 * When a container said what. Programs write into the log themselves, so it has no times in it: they are noted beside it, whenever it
 * is seen to have grown.
 */
export class LogTimes {
  readonly #path: string;
  readonly #marks: LogMark[];

  /** Of a file, which holds what was noted before. */
  constructor(path: string) {
    this.#path = path;
    this.#marks = readMarks(path);
  }

  note(size: number, nowMs: number): void {
    const last = this.#marks.at(-1);
    if (last !== undefined && (size <= last.size || nowMs - last.timeMs < GRAIN_MS)) return;
    this.#marks.push({ size, timeMs: nowMs });
    try {
      appendFileSync(this.#path, `${size} ${nowMs}\n`, { mode: 0o600 });
    } catch {
      // A full disk, or a folder that is gone, costs the times after a restart and nothing else.
    }
  }

  /** When the byte before this place was written; undefined when nobody has seen it yet. */
  timeOf(end: number): number | undefined {
    return this.#marks[this.#firstWith(({ size }) => size >= end)]?.timeMs;
  }

  /** Where what was said from this time on begins. */
  startOf(sinceMs: number): number {
    const first = this.#firstWith(({ timeMs }) => timeMs >= sinceMs);
    return first === 0 ? 0 : (this.#marks[first - 1]?.size ?? 0);
  }

  #firstWith(isSo: (mark: LogMark) => boolean): number {
    let [low, high] = [0, this.#marks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (isSo(this.#marks[middle] as LogMark)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

function readMarks(path: string): LogMark[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return []; // Nothing has been noted yet.
  }
  // The last line may have been cut off by an end in the middle.
  const lines = text
    .slice(0, text.lastIndexOf("\n") + 1)
    .trim()
    .split("\n");
  return lines.flatMap((line) => {
    const [size = "", timeMs = ""] = line.split(" ");
    return timeMs === "" ? [] : [{ size: Number(size), timeMs: Number(timeMs) }];
  });
}
