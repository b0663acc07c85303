import { StowageError } from "@stowage/machinery";

export interface ResponseHead {
  readonly httpVersion: string;
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where the body begins. */
  readonly length: number;
}

const END_OF_HEAD = Buffer.from("\r\n\r\n");
const MAXIMUM_HEAD_BYTES = 64 * 1024;
const STATUS_LINE = /^HTTP\/(1\.[01]) (\d{3})(?: [^\r\n]*)?$/;
const HEADER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*?)[ \t]*$/;

/** Reads the head of an HTTP/1 response; undefined while it is not all there. Throws WRONG_PROTOCOL on anything else. */
export function parseResponseHead(bytes: Buffer, server: string): ResponseHead | undefined {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end < 0) {
    if (bytes.length > MAXIMUM_HEAD_BYTES) throw notHttp(server, `a head of more than ${MAXIMUM_HEAD_BYTES} bytes`);
    return undefined;
  }
  const [statusLine = "", ...lines] = bytes.toString("latin1", 0, end).split("\r\n");
  const match = STATUS_LINE.exec(statusLine);
  if (match === null) throw notHttp(server, "no HTTP status line");
  const [, httpVersion = "", statusCode = ""] = match;
  return {
    httpVersion,
    statusCode: Number(statusCode),
    headers: parseHeaders(lines, server),
    length: end + END_OF_HEAD.length,
  };
}

function parseHeaders(lines: readonly string[], server: string): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const match = HEADER.exec(line);
    if (match === null) throw notHttp(server, "a line in its head that is no header");
    const [, name = "", value = ""] = match;
    const key = name.toLowerCase();
    headers[key] = key in headers ? `${headers[key]}, ${value}` : value;
  }
  return headers;
}

function notHttp(server: string, what: string): StowageError {
  return new StowageError("WRONG_PROTOCOL", `${server} does not answer as an HTTP server: it sent ${what}.`, {
    nextStep: "Check the address and port of the server in the kubeconfig.",
  });
}
