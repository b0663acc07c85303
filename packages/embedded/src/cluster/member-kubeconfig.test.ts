import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, createTransport, isForbidden, loadKubeconfig } from "@stowage/kube";
import { nodes, pods } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ApiServer, type ComponentName, issueKubeconfig, startApiServer } from "../apiserver/index.ts";

let folder: string;
let server: ApiServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "component-kubeconfig-"));
  server = await startApiServer({ dataDir: join(folder, "data") });
});

afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function issued(component: ComponentName): string {
  const file = join(folder, "kubeconfig");
  issueKubeconfig({ dataDir: join(folder, "data"), component, file, nowMs: Date.now() });
  return file;
}

async function clientBy(path: string, context?: string) {
  const transport = createTransport(await loadKubeconfig({ path, context, env: {}, homeDir: "/" }));
  return { client: createClient({ transport }), [Symbol.dispose]: () => transport.close() };
}

describe("a kubeconfig for another process", () => {
  it("is readable by its owner alone, and knows where the server is", async () => {
    const path = issued({ kind: "node", name: "node-1" });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    using one = await clientBy(path);
    expect(one.client.server).toBe(server.url);
    await one.client.create(nodes, { metadata: { name: "node-1" } });
    await expect(one.client.list(nodes)).rejects.toSatisfy(isForbidden);
  });

  it("has both of those that controllers are", async () => {
    const path = issued({ kind: "controllers" });
    using manager = await clientBy(path, "kube-controller-manager");
    using scheduler = await clientBy(path, "kube-scheduler");
    expect((await manager.client.list(pods)).items).toEqual([]);
    expect((await scheduler.client.list(pods)).items).toEqual([]);
    const ref = { namespace: "default", name: "any" };
    await expect(manager.client.delete(pods, ref)).rejects.toSatisfy(isForbidden);
  });

  it("is not made where there is no cluster", () => {
    const wish = { dataDir: folder, component: { kind: "controllers" } as const, file: join(folder, "x"), nowMs: 0 };
    expect(() => issueKubeconfig(wish)).toThrow(expect.objectContaining({ code: "CLUSTER_WITHOUT_IDENTITY" }));
  });
});
