import { duplexPair } from "node:stream";
import { buffer } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { WebSocketConnection } from "./websocket.ts";
import { encodeFrame, mostBytes, opcodes } from "./websocket-frames.ts";

/** As a client sends it, with a mask that changes nothing. */
function sent(opcode: number, payload: Buffer, isLast = true): Buffer {
  const frame = encodeFrame(opcode, payload);
  const headLength = frame.length - payload.length;
  const head = Buffer.from(frame.subarray(0, headLength));
  head.writeUInt8((isLast ? 0x80 : 0) | opcode, 0);
  head.writeUInt8(0x80 | head.readUInt8(1), 1);
  return Buffer.concat([head, Buffer.alloc(4), payload]);
}

function connected() {
  const [near, far] = duplexPair();
  // The connection waits a while for the other side to close, too.
  onTestFinished(() => void [near, far].map((each) => each.destroy()));
  const connection = new WebSocketConnection(far, { key: "k", protocol: "p", head: Buffer.alloc(0) });
  /** The last word of the server: why it closes. */
  const closeCode = async () => (await buffer(near)).subarray(-2).readUInt16BE();
  return { near, far, connection, closeCode };
}

async function all(parts: AsyncIterable<Buffer>): Promise<string[]> {
  const read: string[] = [];
  for await (const part of parts) read.push(part.toString("utf8"));
  return read;
}

const pieces = [
  sent(opcodes.binary, Buffer.from("one"), false),
  sent(opcodes.continuation, Buffer.alloc(0), false),
  sent(opcodes.continuation, Buffer.from("two")),
  sent(opcodes.close, Buffer.alloc(0)),
];

describe("a WebSocket", () => {
  it("gives messages whole", async () => {
    const { near, connection, closeCode } = connected();
    near.write(Buffer.concat(pieces));
    expect(await all(connection.messages())).toEqual(["onetwo"]);
    expect(await closeCode()).toBe(1000);
  });

  it("gives what is in them as it comes, to those who want it so", async () => {
    const { near, connection, closeCode } = connected();
    near.write(Buffer.concat(pieces));
    expect(await all(connection.pieces())).toEqual(["one", "two"]);
    expect(await closeCode()).toBe(1000);
  });

  it("keeps no message that does not end", async () => {
    const { near, connection, closeCode } = connected();
    near.write(sent(opcodes.binary, Buffer.alloc(mostBytes), false));
    near.write(sent(opcodes.continuation, Buffer.alloc(1), false));
    expect(await all(connection.messages())).toEqual([]);
    expect(await closeCode()).toBe(1009);
  });

  it("is closed when the client has, whatever still came", async () => {
    const { near, far, connection, closeCode } = connected();
    near.write(sent(opcodes.text, Buffer.from("text")));
    expect(await all(connection.pieces())).toEqual([]);
    expect(connection.gone.aborted).toBe(true);
    near.write(sent(opcodes.binary, Buffer.from("more that nobody reads")));
    expect(await closeCode()).toBe(1003);
    near.end();
    await expect.poll(() => far.destroyed).toBe(true);
  });
});
