import { once } from "node:events";
import { constants, createDeflate, deflateSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { decodeHeaders, encodeHeaders, HeaderReader, HeaderWriter } from "./header-blocks.ts";
import { headerDictionary } from "./header-dictionary.ts";
import { limits } from "./limits.ts";

const headers = new Map([
  ["streamtype", "stdin"],
  ["port", "8080"],
]);

/** Blocks as a client with a real compressor writes them. */
async function compressed(texts: readonly Buffer[]): Promise<Buffer[]> {
  const deflate = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
  const blocks: Buffer[] = [];
  for (const text of texts) {
    const parts: Buffer[] = [];
    const onData = (part: Buffer) => void parts.push(part);
    deflate.on("data", onData);
    deflate.write(text);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    deflate.off("data", onData);
    blocks.push(Buffer.concat(parts));
  }
  deflate.destroy();
  await once(deflate, "close");
  return blocks;
}

describe("the dictionary of headers", () => {
  it("is the one of SPDY/3, by its length and its sum", () => {
    expect(headerDictionary).toHaveLength(1423);
    const sum = deflateSync("", { dictionary: headerDictionary }).subarray(2, 6);
    expect(sum.toString("hex")).toBe("e3c6a7c2");
  });
});

describe("blocks of headers", () => {
  it("are read one after the other, as one compressed text", async () => {
    using reader = new HeaderReader();
    const other = new Map([...headers, ["requestid", "1"]]);
    const blocks = await compressed([headers, other, headers].map(encodeHeaders));
    expect(blocks[2]?.length).toBeLessThan(blocks[0]?.length ?? 0);
    expect(await reader.read(blocks[0] ?? Buffer.alloc(0))).toEqual(headers);
    expect(await reader.read(blocks[1] ?? Buffer.alloc(0))).toEqual(other);
    expect(await reader.read(blocks[2] ?? Buffer.alloc(0))).toEqual(headers);
  });

  it("are written so that any reader of compressed text understands them", async () => {
    const writer = new HeaderWriter();
    const blocks = [writer.write(headers), writer.write(new Map())];
    const text = inflateSync(Buffer.concat(blocks), {
      dictionary: headerDictionary,
      finishFlush: constants.Z_SYNC_FLUSH,
    });
    expect(text).toEqual(Buffer.concat([encodeHeaders(headers), encodeHeaders(new Map())]));
    using reader = new HeaderReader();
    expect(await reader.read(blocks[0] ?? Buffer.alloc(0))).toEqual(headers);
    expect(await reader.read(blocks[1] ?? Buffer.alloc(0))).toEqual(new Map());
  });

  it("are refused when they are not compressed, or with another dictionary", async () => {
    using reader = new HeaderReader();
    await expect(reader.read(encodeHeaders(headers))).rejects.toThrow("not compressed as agreed");
    using another = new HeaderReader();
    const foreign = deflateSync(encodeHeaders(headers), { dictionary: Buffer.from("another") });
    await expect(another.read(foreign)).rejects.toThrow("not compressed as agreed");
  });

  it("are refused when a short block becomes a long text", async () => {
    using reader = new HeaderReader();
    const [block = Buffer.alloc(0)] = await compressed([Buffer.alloc(64 * limits.controlBytes)]);
    expect(block.length).toBeLessThan(limits.controlBytes);
    await expect(reader.read(block)).rejects.toThrow("too long");
  });

  const count = (number: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(number);
    return bytes;
  };

  it.each([
    ["nothing at all", Buffer.alloc(0), "break off"],
    ["fewer than they say", count(1), "break off"],
    ["a name that is longer than all of them", Buffer.concat([count(1), count(9), Buffer.from("abc")]), "break off"],
    ["more than there may be", count(limits.headers + 1), "too many"],
    ["something after them", Buffer.concat([count(0), count(0)]), "more follows"],
    ["a name with capitals", encodeHeaders(new Map([["Port", "1"]])), "lower case"],
    ["no name", encodeHeaders(new Map([["", "1"]])), "lower case"],
    [
      "one twice",
      Buffer.concat([
        count(2),
        encodeHeaders(new Map([["a", "1"]])).subarray(4),
        encodeHeaders(new Map([["a", "2"]])).subarray(4),
      ]),
      "there twice",
    ],
  ])("are refused when they are %s", (_what, bytes, why) => {
    expect(() => decodeHeaders(bytes)).toThrow(why);
  });
});
