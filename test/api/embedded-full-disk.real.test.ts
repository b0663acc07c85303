import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedServer, runStowage } from "./embedded-server.ts";
import { EmbeddedSession } from "./embedded-session.ts";

const path = "/api/v1/namespaces/default/configmaps";
const megabyte = 1024 * 1024;

let folder: string;
let disk: string;
let dataDir: string;

/** Takes all the room that is left. */
function fill(): void {
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, "filler"), Buffer.alloc(bavail * bsize));
}

function empty(): void {
  rmSync(join(disk, "filler"));
}

function configMap(name: string): unknown {
  return { metadata: { name }, data: { long: "x".repeat(megabyte / 2) } };
}

async function namesOf(session: EmbeddedSession): Promise<string[]> {
  const { code, body } = await session.call("GET", path);
  expect(code).toBe(200);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

describe.runIf(process.getuid?.() === 0)("an embedded API server on a full disk", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "embedded-disk-"));
    disk = join(folder, "disk");
    dataDir = join(disk, "data");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", disk]);
  });
  afterEach(() => {
    execFileSync("umount", ["-l", disk]);
    rmSync(folder, { recursive: true, force: true });
  });

  it("says so to whoever writes, serves whoever reads, and goes on when there is room again", async () => {
    const kept = ["kept-1", "kept-2"];
    {
      await using server = await EmbeddedServer.start(dataDir);
      using session = new EmbeddedSession(server.credentials);
      expect((await session.call("POST", path, configMap("kept-1"))).code).toBe(201);
      fill();
      for (const round of [1, 2, 3]) {
        const { code, body } = await session.call("POST", path, configMap(`refused-${round}`));
        expect([code, body.kind, body.reason]).toEqual([500, "Status", "InternalError"]);
        expect(body.message).toContain("could not be written to disk: database or disk is full");
        expect(await namesOf(session)).toEqual(["kept-1"]);
      }
      empty();
      expect((await session.call("POST", path, configMap("kept-2"))).code).toBe(201);
      expect(await namesOf(session)).toEqual(kept);
      fill();
      expect((await session.call("POST", path, configMap("refused"))).code).toBe(500);
      await server.end("SIGKILL");
    }
    empty();
    await using again = await EmbeddedServer.start(dataDir);
    using session = new EmbeddedSession(again.credentials);
    expect(await namesOf(session)).toEqual(kept);
  });

  it("does not start there, says why, and loses nothing", async () => {
    {
      await using server = await EmbeddedServer.start(dataDir);
      using session = new EmbeddedSession(server.credentials);
      expect((await session.call("POST", path, configMap("kept"))).code).toBe(201);
      await server.end("SIGKILL");
    }
    fill();
    const { code, errors } = await runStowage(["apiserver", "--data-dir", dataDir, "--listen", "127.0.0.1:0"]);
    expect([code, errors]).toEqual([1, expect.stringContaining(dataDir)]);
    expect(errors).not.toContain("unexpected failure");
    expect(readdirSync(dataDir).filter((name) => name.includes("damaged"))).toEqual([]);
    empty();
    await using server = await EmbeddedServer.start(dataDir);
    using session = new EmbeddedSession(server.credentials);
    expect(await namesOf(session)).toEqual(["kept"]);
  });

  it("cannot be saved to there, and leaves no half of a state", async () => {
    const elsewhere = join(folder, "data");
    await using server = await EmbeddedServer.start(elsewhere);
    using session = new EmbeddedSession(server.credentials);
    for (const n of [1, 2, 3]) expect((await session.call("POST", path, configMap(`kept-${n}`))).code).toBe(201);
    fill();
    const { code, errors } = await runStowage(["state", "save", join(disk, "saved"), "--data-dir", elsewhere]);
    expect([code, errors]).toEqual([1, expect.stringContaining(join(disk, "saved"))]);
    expect(readdirSync(disk)).toEqual(["filler"]);
  });
});
