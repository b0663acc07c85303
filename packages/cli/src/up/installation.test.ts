import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@stowage/embedded";
import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { clusterRoles, deployments, infrastructures, pods, silentLogger, systemClock } from "@stowage/machinery";
import { defaultProfile, readPayload, writeShippedPayload } from "@stowage/operators/version";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createDemo, install } from "./installation.ts";
import { upPlatforms } from "./platforms/index.ts";

const folder = mkdtempSync(join(tmpdir(), "installation-"));
const payloadFolder = join(folder, "payload");
const given = { payloadFolder, version: "1.2.3", image: "stowage:latest", platform: upPlatforms.local, cloudUrl: "" };
const cleanUp = new AsyncDisposableStack();
const start = async () => {
  const server = cleanUp.use(await startApiServer({ dataDir: join(folder, "apiserver"), port: 0 }));
  const config = await loadKubeconfig({ path: server.kubeconfigPath, env: {}, homeDir: "/" });
  const transport = cleanUp.adopt(createTransport(config), (opened) => opened.close());
  return {
    client: createClient({ transport }),
    clock: systemClock,
    logger: silentLogger,
    awaited: { nodeCount: 1, sinceMs: 0 },
  };
};
let deps: Awaited<ReturnType<typeof start>>;
const { signal } = new AbortController();

beforeAll(async () => {
  deps = await start();
  await install(deps, given, signal);
});
afterAll(async () => {
  await cleanUp.disposeAsync();
  rmSync(folder, { recursive: true });
});

it("says that volumes are on the nodes' own disks", async () => {
  expect(await deps.client.get(infrastructures, { name: "cluster" })).toMatchObject({
    spec: { platformSpec: { external: { platformName: "local" } } },
    status: { platformStatus: { type: "External" }, controlPlaneTopology: "SingleReplica" },
  });
});

it("brings the version operator with the payload, and with the rights for that alone", async () => {
  const payload = await readPayload({ directory: payloadFolder, image: "", profile: defaultProfile });
  expect(payload.release.version).toBe("1.2.3");
  const operator = payload.manifests.find(({ file }) => file.includes("10_deployment"))?.object;
  const images = JSON.stringify(operator);
  expect(images).toContain('{"name":"VOLUME_DATA_SOURCE_VALIDATOR_IMAGE","value":""}');
  expect(images).toContain('{"name":"SIDECARS_IMAGE","value":"stowage:latest"}');
  const place = { namespace: "openshift-cluster-version", name: "stowage-version-operator" };
  const { spec } = await deps.client.get(deployments, place);
  expect(spec?.template.spec?.volumes?.[0]?.hostPath?.path).toBe(payloadFolder);
  const { rules = [] } = await deps.client.get(clusterRoles, { name: place.name });
  expect(rules.flatMap(({ resources = [] }) => resources)).not.toContain("*");
});

it("adds snapshots to the payload, which has none where another operator brings them", async () => {
  const namesIn = async (directory: string) => {
    const { manifests } = await readPayload({ directory, image: "", profile: defaultProfile });
    return manifests.map(({ object }) => `${object.kind} ${object.metadata.name}`);
  };
  const additions = [
    "CustomResourceDefinition volumesnapshots.snapshot.storage.k8s.io",
    "ClusterRole stowage-snapshot-controller",
    "Deployment stowage-snapshot-controller",
  ];
  expect(await namesIn(payloadFolder)).toEqual(expect.arrayContaining(additions));
  const shipped = join(folder, "shipped");
  writeShippedPayload(shipped, { version: "1.2.3" });
  expect((await namesIn(shipped)).filter((name) => additions.includes(name))).toEqual([]);
});

it("can be done again, and leaves what somebody has changed of the demonstration", async () => {
  await createDemo(deps.client);
  const place = { namespace: "demo", name: "writer" };
  await deps.client.patch(pods, place, { type: "merge", patch: { metadata: { labels: { own: "yes" } } } });
  await install(deps, given, signal);
  await createDemo(deps.client);
  expect((await deps.client.get(pods, place)).metadata.labels).toEqual({ own: "yes" });
});
