import {
  clusterCSIDrivers,
  clusterRoles,
  configMaps,
  type Deployment,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import {
  createOperatorClient,
  localCopies,
  type OperatorController,
  renderObjects,
  type StaticResource,
  staticResourcesController,
  watching,
  withPlaceholders,
} from "@stowage/operator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDriverResource, driverName, ensureOperatorCrds, type KitBench, startKitBench } from "./kit-bench.ts";

let bench: KitBench;
let stop: AbortController;
let ended: Promise<void> | undefined;
let syncs: number;

beforeEach(async () => {
  bench = await startKitBench();
  stop = new AbortController();
  syncs = 0;
  await ensureOperatorCrds(bench);
  await createDriverResource(bench);
  bench.willDelete(clusterRoles, `kit-${bench.suffix}`);
});

afterEach(async () => {
  stop.abort();
  await ended;
  await bench?.[Symbol.asyncDispose]();
});

const text = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: "\${NAMESPACE}"}
data: {level: "\${LOG_LEVEL}"}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: kit, namespace: "\${NAMESPACE}"}
roleRef: {kind: ClusterRole, name: "kit-\${SUFFIX}"}
subjects: [{kind: ServiceAccount, name: kit, namespace: "\${NAMESPACE}"}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "kit-\${SUFFIX}"}
rules: [{apiGroups: [""], resources: [secrets], verbs: [get]}]
---
apiVersion: monitoring.absent.test/v1
kind: ServiceMonitor
metadata: {name: kit, namespace: "\${NAMESPACE}"}
spec: {}
`;

interface Options {
  readonly values?: Record<string, string>;
  readonly whenRemoved?: "sync" | "delete";
}

/** The whole way: assets, the operator's resource, informers, the controller, the server. */
async function startController({
  values = { LOG_LEVEL: "2" },
  whenRemoved,
}: Options = {}): Promise<OperatorController> {
  let controller: OperatorController | undefined;
  const { client, mapper, events } = bench.deps;
  await bench.startInformers((informers) => {
    const operator = createOperatorClient({
      client,
      informers,
      type: clusterCSIDrivers,
      name: driverName,
      clock: systemClock,
    });
    const ours = informers.informer(configMaps, { namespace: bench.namespace });
    const local = localCopies([{ informer: ours, covers: ({ namespace }) => namespace === bench.namespace }]);
    controller = staticResourcesController(
      { client, mapper, events, local, operator, clock: systemClock, logger: silentLogger },
      { name: "KitStaticResources", watches: [watching(ours)], whenRemoved, resources: () => resources(values) },
    );
  });
  const running = controller as unknown as OperatorController;
  ended = running.run(stop.signal);
  return running;
}

async function resources(values: Record<string, string>): Promise<StaticResource[]> {
  syncs++;
  const { namespace: NAMESPACE, suffix: SUFFIX } = bench;
  const manifestHooks = [withPlaceholders({ NAMESPACE, SUFFIX, ...values })];
  const objects = await renderObjects<Deployment, undefined>(
    { name: "rbac.yaml", text },
    { manifestHooks, context: undefined },
  );
  return objects.map((object) => ({
    asset: "rbac.yaml",
    object,
    optional: (object.kind as string) === "ServiceMonitor",
  }));
}

const settings = () => bench.client.find(configMaps, { name: "settings", namespace: bench.namespace });
const degraded = async () => {
  const { status } = await bench.client.get(clusterCSIDrivers, { name: driverName });
  const condition = status?.conditions?.find(({ type }) => type === "KitStaticResourcesDegraded");
  return condition && `${condition.status} ${condition.reason} ${condition.message ?? ""}`;
};

describe("static resources", () => {
  it("come to be in order, optional ones are not missed, and the operator is not degraded", async () => {
    await startController();
    await expect.poll(degraded, { timeout: 20_000 }).toBe("False AsExpected ");
    const created = bench.requests.filter((request) => request.startsWith("create")).slice(-3);
    expect(created).toEqual(["create clusterroles", "create rolebindings", "create configmaps"]);
    expect((await settings())?.data).toEqual({ level: "2" });
  });

  it("that are watched come back at once when they are changed or deleted", async () => {
    await startController();
    await expect.poll(async () => (await settings())?.data).toEqual({ level: "2" });
    const ref = { name: "settings", namespace: bench.namespace };
    await bench.client.patch(configMaps, ref, { type: "merge", patch: { data: { level: "9", more: "x" } } });
    await expect.poll(async () => (await settings())?.data).toEqual({ level: "2" });
    const before = await settings();
    await bench.client.delete(configMaps, ref);
    await expect.poll(async () => (await settings())?.metadata.uid).not.toBe(undefined);
    expect((await settings())?.metadata.uid).not.toBe(before?.metadata.uid);
  });

  it("cause no writes while nothing changes", async () => {
    const controller = await startController();
    await expect.poll(degraded, { timeout: 20_000 }).toBe("False AsExpected ");
    bench.requests.length = 0;
    // Syncs follow one another: when one begins, those before it have ended.
    for (let turn = 0; turn < 3; turn++) {
      const before = syncs;
      controller.trigger();
      await expect.poll(() => syncs).toBeGreaterThan(before);
    }
    expect(bench.requests).toEqual([]);
  });

  it("with a placeholder that has no value are not sent, and the operator says which", async () => {
    await startController({ values: {} });
    await expect
      .poll(degraded, { timeout: 20_000 })
      .toMatch(/^True SyncError rbac\.yaml: \$\{LOG_LEVEL\} has no value \(line 5\)\. \w/);
    expect(await settings()).toBeUndefined();
    expect(bench.eventLines.at(-1)).toContain("Warning SyncError KitStaticResources: rbac.yaml");
  });

  it("go when the operand is removed", async () => {
    await startController({ whenRemoved: "delete" });
    await expect.poll(async () => (await settings())?.data).toEqual({ level: "2" });
    const patch = { spec: { managementState: "Removed" } };
    await bench.client.patch(clusterCSIDrivers, { name: driverName }, { type: "merge", patch });
    await expect.poll(settings).toBeUndefined();
    await expect.poll(() => bench.client.find(clusterRoles, { name: `kit-${bench.suffix}` })).toBeUndefined();
  });
});
