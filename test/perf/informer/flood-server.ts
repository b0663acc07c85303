// A process that plays an API server with 10,000 PersistentVolumes and, when asked, floods its watches with changes of them. It
// does no more per event than put together prepared bytes, so that the reader is what is measured.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { sampleVolume } from "./sample-volume.ts";

const [volumesText = "10000", certificateFile = "", keyFile = ""] = process.argv.slice(2);
const volumeCount = Number(volumesText);
const VERSION_MARK = "RESOURCE-VERSION";
const templates = Array.from({ length: volumeCount }, (_, index) => JSON.stringify(sampleVolume(index, VERSION_MARK)));
const versions = templates.map((_, index) => index + 1);
let latestVersion = volumeCount;
const watches = new Set<ServerResponse>();
let prepared: Buffer[] = [];

const objectText = (index: number) => (templates[index] as string).replace(VERSION_MARK, String(versions[index]));

const server = createServer(
  { cert: readFileSync(certificateFile), key: readFileSync(keyFile) },
  (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "https://server");
    if (pathname === "/prepare") {
      prepared = prepareFlood(Number(searchParams.get("events")));
      response.end("{}");
    } else if (pathname === "/flood") void flood(prepared).then(() => response.end("{}"));
    else if (searchParams.get("watch") === "true") void openWatch(request, response, searchParams);
    else list(response, searchParams);
  },
);

function list(response: ServerResponse, query: URLSearchParams): void {
  const start = Number(query.get("continue") ?? 0);
  const end = Math.min(volumeCount, start + Number(query.get("limit") ?? volumeCount));
  const items = templates.slice(start, end).map((_, offset) => objectText(start + offset));
  const metadata = { resourceVersion: String(latestVersion), continue: end < volumeCount ? String(end) : undefined };
  response.writeHead(200, { "content-type": "application/json" });
  response.end(
    `{"kind":"PersistentVolumeList","apiVersion":"v1","metadata":${JSON.stringify(metadata)},"items":[${items.join(",")}]}`,
  );
}

async function openWatch(request: IncomingMessage, response: ServerResponse, query: URLSearchParams): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  response.flushHeaders();
  if (query.get("sendInitialEvents") === "true") {
    for (let index = 0; index < volumeCount; index++) {
      if (!response.write(`{"type":"ADDED","object":${objectText(index)}}\n`)) await once(response, "drain");
    }
    const metadata = { resourceVersion: String(latestVersion), annotations: { "k8s.io/initial-events-end": "true" } };
    const bookmark = { kind: "PersistentVolume", apiVersion: "v1", metadata };
    response.write(`${JSON.stringify({ type: "BOOKMARK", object: bookmark })}\n`);
  }
  watches.add(response);
  request.on("close", () => watches.delete(response));
}

/** On a busy connection an API server writes through a buffer of 4 KiB. */
const EVENTS_PER_WRITE = 2;

/** All bytes are ready before the first is sent. Each event is an HTTP chunk of its own, as an API server sends it. */
function prepareFlood(events: number): Buffer[] {
  const writes: Buffer[] = [];
  let chunks: string[] = [];
  for (let sent = 1; sent <= events; sent++) {
    const index = sent % volumeCount;
    versions[index] = ++latestVersion;
    const line = `{"type":"MODIFIED","object":${objectText(index)}}\n`;
    chunks.push(`${Buffer.byteLength(line).toString(16)}\r\n${line}\r\n`);
    if (chunks.length < EVENTS_PER_WRITE && sent < events) continue;
    writes.push(Buffer.from(chunks.join("")));
    chunks = [];
  }
  return writes;
}

/** So much waits to be sent that the reader never has to wait for more. */
const AHEAD_BYTES = 4 * 1024 * 1024;

async function flood(writes: readonly Buffer[]): Promise<void> {
  const sockets = [...watches].flatMap(({ socket }) => (socket === null ? [] : [socket]));
  for (const bytes of writes) {
    for (const socket of sockets) {
      socket.write(bytes);
      if (socket.writableLength > AHEAD_BYTES) await once(socket, "drain");
    }
  }
}

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on("disconnect", () => process.exit(0));
