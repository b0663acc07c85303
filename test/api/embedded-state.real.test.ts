import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { EmbeddedServer, runStowage } from "./embedded-server.ts";
import { EmbeddedSession } from "./embedded-session.ts";

const path = "/api/v1/namespaces/default/configmaps";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "embedded-state-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function configMap(name: string): unknown {
  return { metadata: { name } };
}

async function namesOf(session: EmbeddedSession): Promise<string[]> {
  const { body } = await session.call("GET", path);
  return body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
}

describe("the state of an embedded API server", () => {
  it("is saved while it runs, damaged, refused, and restored by the commands that it names", async () => {
    const own = join(folder, "data");
    const saved = join(folder, "saved");
    let version: number;
    {
      await using server = await EmbeddedServer.start(own);
      using session = new EmbeddedSession(server.credentials);
      expect((await session.call("POST", path, configMap("saved"))).code).toBe(201);
      expect((await runStowage(["state", "save", saved, "--data-dir", own])).code).toBe(0);
      const { body } = await session.call("POST", path, configMap("later"));
      version = Number(body.metadata.resourceVersion);
      const refused = await runStowage(["state", "restore", saved, "--data-dir", own]);
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining("is used by another API server")]);
    }
    writeFileSync(join(own, "state.db"), "gone");
    for (let start = 0; start < 2; start++) {
      const { code, errors } = await runStowage(["apiserver", "--data-dir", own, "--listen", "127.0.0.1:0"]);
      expect([code, errors]).toEqual([1, expect.stringContaining(`stowage state restore FILE --data-dir ${own}`)]);
      expect(errors).toContain(`${join(own, "state.db")}.damaged-`);
    }
    expect((await runStowage(["state", "restore", saved, "--data-dir", own])).code).toBe(0);
    await using server = await EmbeddedServer.start(own);
    using session = new EmbeddedSession(server.credentials);
    expect(await namesOf(session)).toEqual(["saved"]);
    const { body } = await session.call("POST", path, configMap("new"));
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThan(version);
  });
});
