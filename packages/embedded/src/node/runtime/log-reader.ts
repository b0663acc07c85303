import { type FileHandle, open } from "node:fs/promises";
import { formatTime } from "@stowage/machinery";
import type { LogTimes } from "./log-times.ts";

export interface LogWish {
  /** Goes on while the container runs. */
  readonly follow: boolean;
  readonly timestamps: boolean;
  readonly sinceMs: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

export interface LogSource {
  readonly path: string;
  readonly times: LogTimes;
  /** What was said before this byte is not wanted. */
  readonly start?: number;
  /** Resolves when there may be more than so many bytes, with false when there will be none. */
  more(bytes: number, signal: AbortSignal): Promise<boolean>;
}

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;

/** What a container said, as it is wished for: whole lines, but for the last. Ends when the signal is aborted. */
export async function* readLog(source: LogSource, wish: LogWish, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await using file = await open(source.path, "r");
  const { size } = await file.stat();
  const since = wish.sinceMs === undefined ? (source.start ?? 0) : source.times.startOf(wish.sinceMs);
  const start = wish.tailLines === undefined ? since : Math.max(since, await tailStart(file, size, wish.tailLines));
  const limit = { left: wish.limitBytes ?? Number.POSITIVE_INFINITY };
  const lines = new LineTimes(source.times, wish.timestamps, start);
  let place = start;
  for (;;) {
    for await (const bytes of chunksFrom(file, place)) {
      place += bytes.length;
      yield* limited(lines.take(bytes), limit);
      if (limit.left <= 0 || signal.aborted) return;
    }
    if (!wish.follow || signal.aborted) break;
    if (!(await source.more(place, signal)) && (await file.stat()).size <= place) break;
  }
  yield* limited(lines.rest(), limit);
}

async function* chunksFrom(file: FileHandle, from: number): AsyncGenerator<Buffer> {
  for (let place = from; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, place);
    if (bytesRead === 0) return;
    place += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Where the last lines begin; looked for from the end, since a log may be long. */
async function tailStart(file: FileHandle, size: number, lines: number): Promise<number> {
  if (lines <= 0) return size;
  let missing = lines;
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const { buffer } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
    for (let at = buffer.length - 1; at >= 0; at--) {
      // The end of the last line begins no line.
      if (buffer[at] !== NEWLINE || start + at === size - 1) continue;
      if (--missing === 0) return start + at + 1;
    }
    end = start;
  }
  return 0;
}

/** Puts the time before each line, where that is wished for. */
class LineTimes {
  readonly #times: LogTimes;
  readonly #isWished: boolean;
  #place: number;
  #carried: Buffer = Buffer.alloc(0);

  constructor(times: LogTimes, isWished: boolean, start: number) {
    this.#times = times;
    this.#isWished = isWished;
    this.#place = start;
  }

  *take(bytes: Buffer): Generator<Uint8Array> {
    if (!this.#isWished) {
      yield bytes;
      return;
    }
    let rest: Buffer = Buffer.concat([this.#carried, bytes]);
    for (let end = rest.indexOf(NEWLINE); end >= 0; end = rest.indexOf(NEWLINE)) {
      yield this.#timed(rest.subarray(0, end + 1));
      rest = rest.subarray(end + 1);
    }
    this.#carried = rest;
  }

  *rest(): Generator<Uint8Array> {
    if (this.#carried.length > 0) yield this.#timed(this.#carried);
    this.#carried = Buffer.alloc(0);
  }

  #timed(line: Buffer): Uint8Array {
    this.#place += line.length;
    const timeMs = this.#times.timeOf(this.#place) ?? Date.now();
    return Buffer.concat([Buffer.from(`${nanoTime(timeMs)} `), line]);
  }
}

/** With as many digits as kubelet writes. */
function nanoTime(timeMs: number): string {
  const fraction = String(timeMs % 1000).padStart(3, "0");
  return formatTime(timeMs).replace("Z", `.${fraction}000000Z`);
}

function* limited(parts: Iterable<Uint8Array>, limit: { left: number }): Generator<Uint8Array> {
  for (const part of parts) {
    if (limit.left <= 0) return;
    yield part.subarray(0, Math.min(part.length, limit.left));
    limit.left -= part.length;
  }
}
