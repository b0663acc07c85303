import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApiServer } from "@stowage/embedded";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  clusterRoles,
  clusterVersions,
  customResourceDefinitions,
  deployments,
  hasErrorCode,
  namespaces,
  silentLogger,
} from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { versionOperatorMark } from "@stowage/operators/version";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runUninstall } from "./uninstall-run.ts";

const folder = mkdtempSync(join(tmpdir(), "uninstall-"));
const cleanUp = new AsyncDisposableStack();
const kubeconfig = join(folder, "kubeconfig");
let client: KubeClient;

beforeAll(async () => {
  cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }));
  const server = await startApiServer({ dataDir: folder });
  cleanUp.defer(() => server.close());
  const transport = createTransport(await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" }));
  cleanUp.defer(() => transport.close());
  client = createClient({ transport });
  const definition = platformCrds.find(({ spec }) => spec.names.kind === clusterVersions.kind);
  if (definition !== undefined) await client.create(customResourceDefinitions, definition);
});
afterAll(() => cleanUp.disposeAsync());

async function uninstall(yes: boolean): Promise<{ code: number; out: string }> {
  let out = "";
  const terminal = { out: (text: string) => void (out += text), err() {} };
  const signal = new AbortController().signal;
  const context = { terminal, logger: silentLogger, setLogLevel() {}, env: {}, homeDir: "/", signal };
  const code = await runUninstall(context, { yes, kubeconfig, timeout: 60_000 });
  return { code, out };
}

const refusal = (code: Parameters<typeof hasErrorCode>[1]) =>
  expect.toSatisfy((error: unknown) => hasErrorCode(error, code));

it("a cluster whose version somebody else keeps is left alone", async () => {
  await expect
    .poll(() =>
      client.create(clusterVersions, { metadata: { name: "version" }, spec: { clusterID: "" } }).then(Boolean),
    )
    .toBe(true);
  await expect(uninstall(true)).rejects.toThrow(refusal("CLUSTER_VERSION_NOT_OURS"));
});

it("nothing is removed while the version operator would bring it back", async () => {
  const patch = { metadata: { annotations: { [versionOperatorMark]: "true" } } };
  await client.patch(clusterVersions, { name: "version" }, { type: "merge", patch });
  const name = "stowage-version-operator";
  const template = { metadata: { labels: { name } }, spec: { containers: [{ name, image: "none" }] } };
  const spec = { selector: { matchLabels: { name } }, template };
  const namespace = "openshift-cluster-version";
  await client.create(namespaces, { metadata: { name: namespace } });
  const deployment = { metadata: { name, namespace }, spec };
  await client.create(deployments, deployment, { fieldManager: "helm" });
  await expect(uninstall(true)).rejects.toThrow(refusal("UNINSTALL_OPERATOR_THERE"));
  await client.delete(deployments, { name, namespace });
  await client.create(deployments, deployment, { fieldManager: "stowage-up" });
});

it("a version operator that was brought by `stowage up` goes first", async () => {
  const name = "stowage-version-operator";
  await client.create(clusterRoles, { metadata: { name }, rules: [] });
  const { out } = await uninstall(false);
  expect(out).toContain(`Namespace openshift-cluster-version\nClusterRole ${name}\n`);
  // Nobody empties namespaces here.
  await client.delete(deployments, { name, namespace: "openshift-cluster-version" });
  await client.delete(clusterRoles, { name });
});

it("what there is is listed, removed when that is said, and what is not ours stays", async () => {
  for (const name of ["cluster-storage-operator", "somebody-else"])
    await client.create(clusterRoles, { metadata: { name }, rules: [] });
  const listed = await uninstall(false);
  expect(listed).toMatchObject({ code: 3, out: expect.stringContaining("ClusterRole cluster-storage-operator\n") });
  expect(await client.find(clusterRoles, { name: "cluster-storage-operator" })).toBeDefined();
  const removed = await uninstall(true);
  expect(removed).toMatchObject({
    code: 0,
    out: expect.stringContaining("removed ClusterRole cluster-storage-operator\n"),
  });
  expect(await client.find(clusterRoles, { name: "cluster-storage-operator" })).toBeUndefined();
  expect(await client.find(clusterRoles, { name: "somebody-else" })).toBeDefined();
  expect(await client.find(namespaces, { name: "default" })).toBeDefined();
  expect(await uninstall(true)).toEqual({ code: 0, out: "" });
});
