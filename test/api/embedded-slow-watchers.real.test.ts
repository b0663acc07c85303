import { mkdtempSync, rmSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@stowage/machinery";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EmbeddedServer } from "./embedded-server.ts";
import { EmbeddedSession } from "./embedded-session.ts";
import type { Credentials } from "./kubeconfig-credentials.ts";

const connections = 20;
const watchersOfEach = 500;
/** Together more than what may wait for one watcher. */
const updates = 120;
const updateBytes = 200_000;
/** Half of it is what ten thousand streams take in Node before anything is sent. */
const allowedBytes = 512 * 1024 * 1024;
const path = "/api/v1/namespaces/default/configmaps";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-watchers-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Clients that take the first of what they are sent and then nothing. */
class Sleepers implements Disposable {
  readonly #sessions: ClientHttp2Session[] = [];
  #begun = 0;

  get begun(): number {
    return this.#begun;
  }

  add({ server, ...tls }: Credentials): void {
    const session = connect(server, { ...tls, settings: { initialWindowSize: 1024 } });
    session.on("error", () => {});
    this.#sessions.push(session);
    for (let n = 0; n < watchersOfEach; n++) this.#watch(session.request({ ":path": `${path}?watch=1` }));
  }

  #watch(stream: ClientHttp2Stream): void {
    stream.on("error", () => {});
    stream.on("response", () => void (this.#begun += 1));
    stream.end();
  }

  [Symbol.dispose](): void {
    for (const session of this.#sessions) session.destroy();
  }
}

/** How many watches the server counts. */
async function running(session: EmbeddedSession): Promise<number> {
  const { lines } = await session.stream("GET", "/metrics");
  let text = "";
  for await (const part of lines) text += part;
  const counts = text.matchAll(/^apiserver_longrunning_requests\{.*\} (\d+)$/gm);
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function until(isDone: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const endsAtMs = systemClock.monotonicMs() + 200_000;
  while (!(await isDone())) {
    if (systemClock.monotonicMs() > endsAtMs) throw new Error(`waited in vain until ${what}`);
    await systemClock.sleep(50);
  }
}

it(`${connections * watchersOfEach} watchers that do not read are dropped, and the server serves the others`, async () => {
  await using server = await EmbeddedServer.start(join(folder, "data"));
  const atRestBytes = server.residentBytes();
  using sleepers = new Sleepers();
  for (let n = 0; n < connections; n++) {
    sleepers.add(server.credentials);
    await until(() => sleepers.begun === (n + 1) * watchersOfEach, "all watches have begun");
  }
  const watchedBytes = server.residentBytes();
  using session = new EmbeddedSession(server.credentials);
  await session.call("POST", path, { metadata: { name: "busy" }, data: {} });
  let [mostBytes, longestMs] = [watchedBytes, 0];
  for (let n = 0; n < updates; n++) {
    const from = systemClock.monotonicMs();
    const patch = { data: { n: String(n), long: "x".repeat(updateBytes) } };
    const { code } = await session.call("PATCH", `${path}/busy`, patch, "application/merge-patch+json");
    expect(code).toBe(200);
    longestMs = Math.max(longestMs, systemClock.monotonicMs() - from);
    mostBytes = Math.max(mostBytes, server.residentBytes());
  }
  // They still do not read: the server itself says that they are gone.
  await until(async () => (await running(session)) === 0, "all watchers are dropped");
  const megabytes = (bytes: number) => Math.round((bytes - atRestBytes) / 2 ** 20);
  console.info(
    `${sleepers.begun} watchers took ${megabytes(watchedBytes)} MB, with all that waited for them ${megabytes(mostBytes)} MB; ` +
      `a write took ${Math.round(longestMs)} ms at most`,
  );
  expect(mostBytes - atRestBytes).toBeLessThan(allowedBytes);
}, 300_000);
