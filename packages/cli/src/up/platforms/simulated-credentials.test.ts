import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@stowage/embedded";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import { credentialsRequests, namespaces, secrets, silentLogger, systemClock } from "@stowage/machinery";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureDefinition } from "../definition.ts";
import { runSimulatedCredentials } from "./simulated-credentials.ts";

const folder = mkdtempSync(join(tmpdir(), "credentials-"));
const cleanUp = new AsyncDisposableStack();
const stop = new AbortController();
const namespace = "drivers";
let client: KubeClient;

beforeAll(async () => {
  const server = cleanUp.use(await startApiServer({ dataDir: join(folder, "apiserver"), port: 0 }));
  const config = await loadKubeconfig({ path: server.kubeconfigPath, env: {}, homeDir: "/" });
  const transport = cleanUp.adopt(createTransport(config), (opened) => opened.close());
  client = createClient({ transport });
  const deps = { client, clock: systemClock, logger: silentLogger };
  await ensureDefinition(deps, credentialsRequests, stop.signal);
  const simulation = { credentialsKind: "AWSProviderSpec", credentials: (url: string) => ({ url }) };
  const running = runSimulatedCredentials({ ...deps, simulation, cloudUrl: "http://cloud" }, stop.signal);
  cleanUp.defer(async () => {
    stop.abort();
    await running;
  });
  await client.create(namespaces, { metadata: { name: "requests" } });
});
afterAll(async () => {
  await cleanUp.disposeAsync();
  rmSync(folder, { recursive: true });
});

const request = (name: string, kind: string) =>
  client.create(credentialsRequests, {
    metadata: { name, namespace: "requests" },
    spec: { secretRef: { name, namespace }, providerSpec: { kind } },
  });

it("gives whoever asks for the simulated cloud a Secret that says what it is, and nobody else", async () => {
  await request("other", "GCPProviderSpec");
  await request("ours", "AWSProviderSpec");
  await expect
    .poll(async () => (await client.get(credentialsRequests, { name: "ours", namespace: "requests" })).status)
    .toMatchObject({ provisioned: true, lastSyncGeneration: 1 });
  const secret = await client.get(secrets, { namespace, name: "ours" });
  expect(secret.metadata.annotations).toEqual({ "stowage.dev/simulated": "true" });
  expect(secret.data).toEqual({ url: Buffer.from("http://cloud").toString("base64") });
  expect(await client.find(secrets, { namespace, name: "other" })).toBeUndefined();
});
