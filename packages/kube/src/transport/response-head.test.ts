import { describe, expect, it } from "vitest";
import { parseResponseHead } from "./response-head.ts";

const parse = (text: string) => parseResponseHead(Buffer.from(text, "latin1"), "https://server");

describe("the head of a response", () => {
  it("is read with its status and headers, up to the body", () => {
    const text = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding:chunked \r\n\r\nbody";
    expect(parse(text)).toEqual({
      httpVersion: "1.1",
      statusCode: 200,
      headers: { "content-type": "application/json", "transfer-encoding": "chunked" },
      length: text.length - "body".length,
    });
  });

  it("is waited for while it is not all there", () => {
    expect(parse("HTTP/1.1 200 OK\r\nContent-Ty")).toBeUndefined();
    expect(parse("")).toBeUndefined();
  });

  it("joins headers that come twice, and does not need a reason", () => {
    expect(parse("HTTP/1.0 404\r\nA: 1\r\na: 2\r\n\r\n")).toMatchObject({ statusCode: 404, headers: { a: "1, 2" } });
  });

  it("is not taken for an object's own property when a header is named like one", () => {
    expect(parse("HTTP/1.1 200 OK\r\n__proto__: x\r\n\r\n")?.headers.__proto__).toBe("x");
  });

  it.each([
    ["no status line", "SSH-2.0-OpenSSH\r\n\r\n", "no HTTP status line"],
    ["a line that is no header", "HTTP/1.1 200 OK\r\nwhat is this\r\n\r\n", "no header"],
    ["a head without end", "HTTP/1.1 200 OK\r\nA: ".padEnd(70_000, "x"), "a head of more than"],
  ])("is refused with %s, naming the server", (_, text, why) => {
    expect(() => parse(text)).toThrow(why);
    expect(() => parse(text)).toThrow("https://server");
  });
});
