import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBodyDecoder } from "./body-decoder.ts";

const decoderFor = (headers: Record<string, string>) =>
  createBodyDecoder({ httpVersion: "1.1", statusCode: 200, headers, length: 0 }, "https://server");

/** Decodes a body that arrives cut at the given places. */
function decode(headers: Record<string, string>, wire: Buffer, cuts: readonly number[] = []) {
  const decoder = decoderFor(headers);
  const pieces: Buffer[] = [];
  const places = [0, ...cuts.map((cut) => cut % (wire.length + 1)).sort((a, b) => a - b), wire.length];
  for (const [index, end] of places.entries()) {
    if (index > 0) decoder.push(wire.subarray(places[index - 1], end), (piece) => pieces.push(Buffer.from(piece)));
  }
  return { body: Buffer.concat(pieces), isDone: decoder.isDone, mayEnd: decoder.mayEnd };
}

const chunked = { "transfer-encoding": "chunked" };
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe("a chunked body", () => {
  it("comes out whole however the connection cuts it", () => {
    const chunk = fc.record({
      data: fc.uint8Array({ minLength: 1, maxLength: 40 }),
      extension: fc.constantFrom("", ";a=b", ' ; long="extension"'),
      isUpper: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(chunk, { maxLength: 8 }),
        fc.constantFrom("", "Trailer: x\r\n"),
        cuts,
        (chunks, trailer, places) => {
          const wire = Buffer.concat([
            ...chunks.flatMap(({ data, extension, isUpper }) => {
              const size = data.length.toString(16);
              return [Buffer.from(`${isUpper ? size.toUpperCase() : size}${extension}\r\n`), data, Buffer.from("\r\n")];
            }),
            Buffer.from(`0\r\n${trailer}\r\n`),
          ]);
          const { body, isDone } = decode(chunked, wire, places);
          expect(isDone).toBe(true);
          expect(body.equals(Buffer.concat(chunks.map(({ data }) => data)))).toBe(true);
        },
      ),
    );
  });

  it("may not end before its last chunk", () => {
    expect(decode(chunked, Buffer.from("3\r\nabc\r\n"))).toMatchObject({ isDone: false, mayEnd: false });
    expect(decode(chunked, Buffer.from("0\r\n"))).toMatchObject({ isDone: false, mayEnd: false });
  });

  it.each([
    ["a size that is no number", "xyz\r\n"],
    ["a chunk longer than its size", "2\r\nabc\r\n"],
    ["an empty size", "\r\n"],
    ["a size without end", "1;".padEnd(20_000, "x")],
    ["a negative size", "-1\r\n"],
  ])("is refused with %s", (_, wire) => {
    expect(() => decode(chunked, Buffer.from(wire))).toThrow("https://server");
  });
});

describe("a body of a given length", () => {
  it("comes out whole, and no more of the connection than that", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 10 }), cuts, (body, rest, places) => {
        const wire = Buffer.concat([body, rest]);
        const decoded = decode({ "content-length": String(body.length) }, wire, places);
        expect(decoded.isDone).toBe(true);
        expect(decoded.body.equals(Buffer.from(body))).toBe(true);
      }),
    );
  });

  it("is refused when the length is no number", () => {
    expect(() => decoderFor({ "content-length": "many" })).toThrow("content-length");
  });
});

describe("a body of no given length", () => {
  it("ends with the connection", () => {
    expect(decode({}, Buffer.from("all of it"))).toMatchObject({ isDone: false, mayEnd: true });
  });
});
