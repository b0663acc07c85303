import { describe, expect, it } from "vitest";
import { encodeFrame, FrameReader, opcodes } from "./websocket-frames.ts";

/** As a client sends it. */
function masked(frame: Buffer, mask = [1, 2, 3, 4]): Buffer {
  const length = (frame[1] ?? 0) & 0x7f;
  const headLength = length === 126 ? 4 : length === 127 ? 10 : 2;
  const head = Buffer.from(frame.subarray(0, headLength));
  head[1] = (head[1] ?? 0) | 0x80;
  const payload = frame.subarray(headLength).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, Buffer.from(mask), payload]);
}

describe("frames", () => {
  it.each([0, 1, 125, 126, 65_535, 65_536])("of %d bytes are read as they were written, in whatever pieces", (size) => {
    const payload = Buffer.alloc(size, "ab");
    const bytes = masked(encodeFrame(opcodes.binary, payload));
    const reader = new FrameReader();
    const middle = Math.floor(bytes.length / 2);
    const frames = [bytes.subarray(0, 1), bytes.subarray(1, middle), bytes.subarray(middle)].flatMap((piece) => [
      ...reader.push(piece),
    ]);
    expect(frames).toEqual([{ isLast: true, opcode: opcodes.binary, payload }]);
  });

  it("that come together are read one by one", () => {
    const bytes = Buffer.concat(["a", "b"].map((text) => masked(encodeFrame(opcodes.text, Buffer.from(text)))));
    expect([...new FrameReader().push(bytes)].map(({ payload }) => payload.toString())).toEqual(["a", "b"]);
  });

  it.each([
    ["not masked", encodeFrame(opcodes.text, Buffer.from("a")), 1002],
    ["with an extension", Buffer.of(0xc2, 0x80, 0, 0, 0, 0), 1002],
    ["of more than there is room for", Buffer.of(0x82, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0), 1009],
    ["of control that are long", masked(encodeFrame(opcodes.ping, Buffer.alloc(126))), 1002],
  ])("%s are refused", (_what, bytes, code) => {
    expect(() => [...new FrameReader().push(bytes)]).toThrow(expect.objectContaining({ code }));
  });
});
