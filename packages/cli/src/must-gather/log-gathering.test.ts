import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTransport, type Transport } from "@stowage/kube";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RedactingContext } from "./gather-context.ts";
import { GatherFolder } from "./gather-folder.ts";
import { GatherReport } from "./gather-report.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { gatherLog } from "./log-gathering.ts";
import { Patience } from "./patience.ts";

const HEAD = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";
const { signal } = new AbortController();
const log = { namespace: "n", pod: "p", container: "c", isPrevious: false };

let root: string;
let server: Server;
let transport: Transport;
/** What is sent before the connection ends, one after the other; the last again and again. */
let answers: string[];

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "gather-"));
  server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end((answers.length > 1 ? answers.shift() : answers[0]) ?? ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  transport = createTransport({ server: url, namespace: "n", origin: "a test", tls: {}, credentials: {} });
});
afterEach(async () => {
  transport.close();
  await new Promise((resolve) => server.close(resolve));
  rmSync(root, { recursive: true, force: true });
});

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

const whole = (text: string) => `${HEAD}${chunk(text)}0\r\n\r\n`;

async function gathered(...sent: string[]) {
  answers = sent;
  const known = new KnownSecrets();
  const kind = { apiVersion: "v1", kind: "Secret" } as const;
  known.add({ ...kind, metadata: { name: "s" }, data: { password: Buffer.from("of-a-secret").toString("base64") } });
  const report = new GatherReport(known);
  const clock = { ...systemClock, nowMs: () => 0, monotonicMs: () => 0, sleep: async () => {} };
  const context = {
    client: { server: transport.server },
    transport,
    clock,
    signal,
    patience: new Patience({ clock, signal }),
    folder: await GatherFolder.create(join(root, "new")),
    report,
    redaction: { known, isStrict: false },
    onProgress() {},
  } as unknown as RedactingContext;
  await gatherLog(context, log);
  const path = join(root, "new/namespaces/n/pods/p/c/c/logs/current.log");
  return { report, read: () => readFileSync(path, "utf8") };
}

describe("the log of a container", () => {
  it("is written without what is secret, known or plain to see", async () => {
    const { report, read } = await gathered(
      whole("began\nwith of-a-secret and Authorization: Bearer abcdefgh12345\nended"),
    );
    expect(read()).toBe("began\nwith redacted and Authorization: Bearer redacted\nended");
    expect(report.missing).toEqual([]);
  });

  it.each([
    ["whose connection ends in the middle", `${HEAD}${chunk("half\n")}`],
    ["that has hardly begun when its connection ends", HEAD],
    ["that comes as nobody can read it", `${HEAD}no length\r\nhalf\r\n`],
  ])("%s is asked for again", async (_, broken) => {
    const { report, read } = await gathered(broken, broken, whole("all of it\n"));
    expect(read()).toBe("all of it\n");
    expect(report.missing).toEqual([]);
  });

  it.each([
    ["breaks off each time", `${HEAD}${chunk("half\n")}`],
    ["cannot be read", `${HEAD}no length\r\nhalf\r\n`],
  ])("that %s is missing, and nothing of it is there", async (_, broken) => {
    const { report, read } = await gathered(broken);
    expect(report.missing).toMatchObject([{ what: "log of n/p c" }]);
    expect(read).toThrow("ENOENT");
  });
});
