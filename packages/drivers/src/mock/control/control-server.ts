import { lstatSync, mkdirSync, unlinkSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname } from "node:path";
import { isMainThread } from "node:worker_threads";
import { openSocketAddress } from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import type { MockControl } from "./control.ts";
import type { ControlEndpoint } from "./control-endpoint.ts";
import { answerControl, type ControlAnswer, failure } from "./control-routes.ts";

export interface ControlServer extends AsyncDisposable {
  /** `unix:///run/mock/control` or `http://127.0.0.1:9900`, with the port that was chosen where 0 was asked for. */
  readonly address: string;
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 1_000_000;
const OWNER_ONLY_UMASK = 0o177;

/** Offers the control over a driver as JSON over HTTP. */
export async function startControlServer(control: MockControl, endpoint: ControlEndpoint): Promise<ControlServer> {
  // A connection that ends at rest may do so just when it is used again.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => void respond(control, request, response));
  using opening = new DisposableStack();
  await listen(server, endpoint, opening);
  const open = opening.move();
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      // Now that Node has removed the file, by the address that it was given.
      open.dispose();
      server.closeAllConnections();
    });
  return { address: addressOf(server, endpoint), close, [Symbol.asyncDispose]: close };
}

function listen(server: Server, endpoint: ControlEndpoint, opening: DisposableStack): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => reject(unusable(endpoint, cause))).once("listening", resolve);
    if ("port" in endpoint) server.listen(endpoint.port, endpoint.host);
    else listenOnSocket(server, endpoint.socketPath, opening);
  });
}

function unusable(endpoint: ControlEndpoint, cause: Error): StowageError {
  const place = "port" in endpoint ? `${endpoint.host}:${endpoint.port}` : endpoint.socketPath;
  return new StowageError("CSI_SOCKET_UNUSABLE", `cannot offer the control over a driver at ${place}`, { cause });
}

/** Node binds within the call, so that the socket has its mode from the first moment on. Only the main thread has a umask. */
function listenOnSocket(server: Server, path: string, opening: DisposableStack): void {
  // As the driver does for its own socket, which may come to be in the same folder a moment later.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // What a driver that was killed left behind.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) unlinkSync(path);
  const address = opening.use(openSocketAddress(path));
  const before = isMainThread ? process.umask(OWNER_ONLY_UMASK) : undefined;
  try {
    server.listen(address.path);
  } finally {
    if (before !== undefined) process.umask(before);
  }
}

function addressOf(server: Server, endpoint: ControlEndpoint): string {
  if ("socketPath" in endpoint) return `unix://${endpoint.socketPath}`;
  const address = server.address() as AddressInfo;
  return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

async function respond(control: MockControl, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = await answer(control, request);
  // Byte counts are texts, as JSON's numbers cannot hold them.
  const text = JSON.stringify(body, (_name, member: unknown) => (typeof member === "bigint" ? `${member}` : member));
  response.writeHead(status, { "content-type": "application/json" }).end(`${text}\n`);
}

async function answer(control: MockControl, request: IncomingMessage): Promise<ControlAnswer> {
  // Browsers say where a page comes from: no page that somebody happens to look at may play with the driver.
  if (request.headers.origin !== undefined) return failure(403, "this is not for browsers");
  try {
    const text = await readBody(request);
    if (text === undefined) return failure(413, `the body has more than ${MAX_BODY_BYTES} bytes`);
    const body: unknown = text === "" ? {} : JSON.parse(text);
    if (typeof body !== "object" || body === null) return failure(400, "the body must be a JSON object");
    const url = new URL(request.url ?? "/", "http://mock");
    return answerControl(control, { method: request.method ?? "GET", url, body: body as Record<string, unknown> });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return failure(400, error.message);
    return failure(500, error instanceof Error ? error.message : String(error));
  }
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
