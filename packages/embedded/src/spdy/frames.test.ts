import { describe, expect, it } from "vitest";
import {
  dataFrame,
  goAwayFrame,
  pingFrame,
  resetFrame,
  type SpdyFrame,
  SpdyFrameReader,
  synReplyFrame,
  synStreamFrame,
} from "./frames.ts";
import { limits } from "./limits.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");
const read = (bytes: Buffer) => [...new SpdyFrameReader().push(bytes)];
const block = hex("c0ffee");

/** As the specification lays them out: what is written, and what is read. */
const known: readonly (readonly [string, string, Buffer, SpdyFrame])[] = [
  [
    "opens a stream",
    "8003 0001 00 00000d 00000003 00000000 0000 c0ffee",
    synStreamFrame(3, block),
    { kind: "syn-stream", streamId: 3, block, isLast: false },
  ],
  [
    "opens a stream that nothing comes on",
    "8003 0001 01 00000d 00000003 00000000 0000 c0ffee",
    synStreamFrame(3, block, true),
    { kind: "syn-stream", streamId: 3, block, isLast: true },
  ],
  [
    "answers a stream",
    "8003 0002 00 000007 00000003 c0ffee",
    synReplyFrame(3, block),
    { kind: "syn-reply", streamId: 3, block, isLast: false },
  ],
  [
    "resets a stream",
    "8003 0003 00 000008 00000003 00000005",
    resetFrame(3, 5),
    { kind: "rst-stream", streamId: 3, status: 5 },
  ],
  ["pings", "8003 0006 00 000004 00000007", pingFrame(7), { kind: "ping", id: 7 }],
  [
    "goes away",
    "8003 0007 00 000008 00000009 00000001",
    goAwayFrame(9, 1),
    { kind: "go-away", lastStreamId: 9, status: 1 },
  ],
  [
    "has data",
    "00000003 00 000002 6869",
    dataFrame(3, Buffer.from("hi")),
    { kind: "data", streamId: 3, bytes: Buffer.from("hi"), isLast: false },
  ],
  [
    "has the last data",
    "00000003 01 000000",
    dataFrame(3, Buffer.alloc(0), true),
    { kind: "data", streamId: 3, bytes: Buffer.alloc(0), isLast: true },
  ],
];

describe("a frame", () => {
  it.each(known)("that %s is written and read as specified", (_what, bytes, written, frame) => {
    expect(written.toString("hex")).toBe(hex(bytes).toString("hex"));
    expect(read(hex(bytes))).toEqual([frame]);
  });

  it.each([
    ["changes a window", "8003 0009 00 000008 00000003 00010000"],
    ["changes the window of all", "8003 0009 00 000008 00000000 00010000"],
    ["has settings", "8003 0004 00 00000c 00000001 01000004 00000064"],
    ["is not known", "8003 00ff 00 000003 abcdef"],
  ])("that %s is passed over, and what follows is read", (_what, bytes) => {
    expect(read(Buffer.concat([hex(bytes), pingFrame(1)]))).toEqual([{ kind: "passed-over" }, { kind: "ping", id: 1 }]);
  });

  it.each([
    ["another version", "8002 0006 00 000004 00000001", "another version"],
    ["data of no stream", "00000000 00 000001 61", "called 0"],
    ["the end of no stream", "8003 0003 00 000008 00000000 00000005", "called 0"],
    ["a stream without its numbers", "8003 0001 00 000008 00000003 00000000", "too short"],
    ["a ping without its number", "8003 0006 00 000002 0001", "too short"],
    ["a window without its size", "8003 0009 00 000004 00000003", "too short"],
    ["settings that are not there", "8003 0004 00 000004 000fffff", "not as long as they say"],
  ])("is refused: %s", (_what, bytes, why) => {
    expect(() => read(hex(bytes))).toThrow(why);
  });

  it("is refused by its length alone, before all of it has come", () => {
    const head = hex("8003 0001 00 000000");
    head.writeUIntBE(limits.controlBytes + 1, 5, 3);
    expect(() => read(head)).toThrow("too large");
  });
});

describe("frames that come in pieces", () => {
  it("are the same wherever they are cut", () => {
    const all = Buffer.concat(known.map(([, bytes]) => hex(bytes)));
    for (let cut = 0; cut <= all.length; cut++) {
      const reader = new SpdyFrameReader();
      const frames = [...reader.push(all.subarray(0, cut)), ...reader.push(all.subarray(cut))];
      expect(joined(frames)).toEqual(known.map(([, , , frame]) => frame));
    }
  });

  it("give data as it comes, and the end with the last of it", () => {
    const reader = new SpdyFrameReader();
    const bytes = dataFrame(1, Buffer.from("abcdef"), true);
    expect([...reader.push(bytes.subarray(0, 8))]).toEqual([]);
    expect([...reader.push(bytes.subarray(8, 10))]).toMatchObject([{ bytes: Buffer.from("ab"), isLast: false }]);
    expect([...reader.push(bytes.subarray(10))]).toMatchObject([{ bytes: Buffer.from("cdef"), isLast: true }]);
  });
});

/** Pieces of one data frame as one. */
function joined(frames: readonly SpdyFrame[]): SpdyFrame[] {
  const all: SpdyFrame[] = [];
  for (const frame of frames) {
    const last = all.at(-1);
    if (frame.kind === "data" && last?.kind === "data" && frame.bytes.length > 0) {
      all[all.length - 1] = { ...frame, bytes: Buffer.concat([last.bytes, frame.bytes]) };
    } else all.push(frame);
  }
  return all;
}
