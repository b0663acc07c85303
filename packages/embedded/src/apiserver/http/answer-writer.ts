import type { Writable } from "node:stream";
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { Exchange, Outgoing } from "./exchange.ts";

export interface HttpAnswer {
  readonly code: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** One text after the other is sent as each comes. */
  readonly body: string | Uint8Array | StreamedBody;
}

export interface StreamedBody extends AsyncIterable<string | Uint8Array> {
  /** Aborted when nothing more will come. Who does not read by then is not waited for much longer. */
  readonly ended?: AbortSignal;
}

/** What is shorter is sent as it is: the real server has the same bound. */
const leastCompressedBytes = 128 * 1024;
const compress = promisify(gzip);
/** How long a client may take to read the end of what it was sent. */
const lastReadMs = 5000;

/** Settles when the answer has been handed over, or when nobody wants it any more. */
export async function writeAnswer(exchange: Exchange, answer: HttpAnswer): Promise<void> {
  const { outgoing, gone } = exchange;
  if (gone.aborted) return endBody(answer.body);
  const { body } = answer;
  if (typeof body === "string" || body instanceof Uint8Array) return writeWhole(exchange, answer, body);
  writeHead(outgoing, answer.code, answer.headers);
  // So that a client knows of its watch before anything happens.
  if ("flushHeaders" in outgoing) outgoing.flushHeaders();
  else outgoing.writeHead(answer.code);
  if (exchange.method === "HEAD") {
    await endBody(body);
    outgoing.end();
    return;
  }
  for await (const part of body) {
    if (gone.aborted) return;
    const bytes = typeof part === "string" ? exchange.bytes.of(part) : part;
    if (!(outgoing as Writable).write(bytes)) await drained(exchange, body.ended);
  }
  if (!gone.aborted) outgoing.end();
}

async function writeWhole(exchange: Exchange, answer: HttpAnswer, body: string | Uint8Array): Promise<void> {
  const { outgoing } = exchange;
  const bytes = typeof body === "string" ? Buffer.from(body) : body;
  const isCompressed = bytes.length > leastCompressedBytes && acceptsGzip(exchange);
  const sent = isCompressed ? await compress(bytes, { level: constants.Z_BEST_SPEED }) : bytes;
  if (exchange.gone.aborted) return;
  const encoding = isCompressed && { "content-encoding": "gzip", vary: "Accept-Encoding" };
  writeHead(outgoing, answer.code, { ...answer.headers, ...encoding, "content-length": String(sent.length) });
  if (exchange.method === "HEAD") outgoing.end();
  else outgoing.end(sent);
}

/** The two kinds of answers take the same, and their types do not say so. */
function writeHead(outgoing: Outgoing, code: number, headers: HttpAnswer["headers"]): void {
  outgoing.statusCode = code;
  for (const [name, value] of Object.entries(headers)) {
    outgoing.setHeader(name, typeof value === "string" ? value : [...value]);
  }
}

function acceptsGzip(exchange: Exchange): boolean {
  const accepted = exchange.header("accept-encoding") ?? "";
  return accepted.split(",").some((each) => each.trim().split(";")[0] === "gzip");
}

/** Settles when more can be sent, or when nobody is there any more. Thousands may wait here, so it takes little. */
function drained({ outgoing, gone }: Exchange, ended: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    const hurry = () => {
      timer = setTimeout(() => outgoing.destroy(), lastReadMs);
    };
    const settle = () => {
      clearTimeout(timer);
      outgoing.off("drain", settle);
      gone.removeEventListener("abort", settle);
      ended?.removeEventListener("abort", hurry);
      resolve();
    };
    outgoing.on("drain", settle);
    gone.addEventListener("abort", settle);
    ended?.addEventListener("abort", hurry);
    if (ended?.aborted) hurry();
    if (gone.aborted) settle();
  });
}

/** Tells whoever makes the body that it is not wanted. */
async function endBody(body: HttpAnswer["body"]): Promise<void> {
  if (typeof body === "string" || body instanceof Uint8Array) return;
  await body[Symbol.asyncIterator]().return?.();
}
