import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type LogWish, readLog } from "./log-reader.ts";
import { LogTimes } from "./log-times.ts";

let folder: string;
let path: string;
let times: LogTimes;
let size: number;
const signal = new AbortController().signal;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "log-"));
  path = join(folder, "log");
  writeFileSync(path, "");
  times = new LogTimes(join(folder, "log-times"));
  size = 0;
});
afterEach(() => rmSync(folder, { recursive: true }));

/** As a program does, at that second. */
function say(text: string, second: number): void {
  appendFileSync(path, text);
  size += Buffer.byteLength(text);
  times.note(size, second * 1000);
}

const plain: LogWish = {
  follow: false,
  timestamps: false,
  sinceMs: undefined,
  tailLines: undefined,
  limitBytes: undefined,
};

async function heard(
  wish: Partial<LogWish> = {},
  more: (bytes: number) => Promise<boolean> = async () => false,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const bytes of readLog({ path, times, more }, { ...plain, ...wish }, signal)) chunks.push(bytes);
  return Buffer.concat(chunks).toString();
}

describe("the log of a container", () => {
  beforeEach(() => {
    say("one\n", 1);
    say("two\nthree\n", 2);
    say("four", 3);
  });

  it("is all that it said", async () => {
    expect(await heard()).toBe("one\ntwo\nthree\nfour");
  });

  it.each([
    [0, ""],
    [1, "four"],
    [2, "three\nfour"],
    [9, "one\ntwo\nthree\nfour"],
  ])("has %i last lines", async (tailLines, text) => {
    expect(await heard({ tailLines })).toBe(text);
  });

  it("counts the last lines of one that ends with a line", async () => {
    say("\n", 4);
    expect(await heard({ tailLines: 2 })).toBe("three\nfour\n");
  });

  it.each([
    [0, "one\ntwo\nthree\nfour"],
    [2000, "two\nthree\nfour"],
    [2500, "four"],
    [9000, ""],
  ])("begins where it was at %i ms", async (sinceMs, text) => {
    expect(await heard({ sinceMs })).toBe(text);
  });

  it("ends after as many bytes as are wanted", async () => {
    expect(await heard({ limitBytes: 5 })).toBe("one\nt");
  });

  it("tells when each line was said, also after a restart of the agent", async () => {
    times = new LogTimes(join(folder, "log-times"));
    expect(await heard({ timestamps: true })).toBe(
      [
        "1970-01-01T00:00:01.000000000Z one",
        "1970-01-01T00:00:02.000000000Z two",
        "1970-01-01T00:00:02.000000000Z three",
        "1970-01-01T00:00:03.000000000Z four",
      ].join("\n"),
    );
  });

  it("asks for more than what it has read", async () => {
    writeFileSync(path, "one\ntwo\n");
    const asked: number[] = [];
    const more = async (bytes: number) => {
      asked.push(bytes);
      if (asked.length === 1) appendFileSync(path, "three\n");
      return asked.length < 2;
    };
    expect(await heard({ follow: true }, more)).toBe("one\ntwo\nthree\n");
    expect(asked).toEqual([8, 14]);
  });

  it("goes on while there is more", async () => {
    const later = [" and five\n", "six\n"];
    const more = async () => {
      const next = later.shift();
      if (next !== undefined) say(next, 5);
      return next !== undefined;
    };
    expect(await heard({ follow: true, tailLines: 1 }, more)).toBe("four and five\nsix\n");
  });

  it("is read to its end when the container ends while it is followed", async () => {
    let isFirst = true;
    const more = async () => {
      if (isFirst) say(" last words\n", 6);
      isFirst = false;
      return false;
    };
    expect(await heard({ follow: true, tailLines: 1 }, more)).toBe("four last words\n");
  });

  it("may be long", async () => {
    const long = `${"x".repeat(100)}\n`.repeat(5_000);
    say(`\n${long}`, 7);
    expect((await heard()).length).toBe("one\ntwo\nthree\nfour\n".length + long.length);
    expect(await heard({ tailLines: 1_500 })).toBe(`${"x".repeat(100)}\n`.repeat(1_500));
  });
});
