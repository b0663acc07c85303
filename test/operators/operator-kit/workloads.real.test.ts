import {
  clusterCSIDrivers,
  type DaemonSet,
  type Deployment,
  daemonSets,
  deployments,
  type LogLevel,
  type ManagementState,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import {
  createOperatorClient,
  daemonSetController,
  deploymentController,
  type OperatorController,
  operatorFinalizer,
  withNodeRollout,
  withOperandPlaceholders,
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
});

afterEach(async () => {
  stop.abort();
  await ended;
  await bench?.[Symbol.asyncDispose]();
});

const template = `
  selector: {matchLabels: {app: kit}}
  template:
    metadata: {labels: {app: kit}}
    spec: {containers: [{name: csi-driver, image: "\${DRIVER_IMAGE}", args: ["--v=\${LOG_LEVEL}"]}]}
`;
const head = (kind: string) => `
apiVersion: apps/v1
kind: ${kind}
metadata: {name: kit, namespace: "\${NAMESPACE}"}
spec:`;
const finalizer = operatorFinalizer("kit", "Kit");

function counting(text: string): string {
  syncs++;
  return text;
}

/** There is no node: no Pod ever starts. */
async function start(kind: "Deployment" | "DaemonSet", fields = ""): Promise<OperatorController> {
  let controller: OperatorController | undefined;
  const { client, mapper, events } = bench.deps;
  const common = { clock: systemClock, logger: silentLogger, client, mapper, events };
  const images = { DRIVER_IMAGE: "registry.test/driver:1" };
  const spec = {
    name: "Kit",
    asset: { name: "kit.yaml", text: `${head(kind)}${fields}${template}` },
    manifestHooks: [counting, withOperandPlaceholders({ images, values: { NAMESPACE: bench.namespace } })],
    finalizer,
  };
  await bench.startInformers((informers) => {
    const operator = createOperatorClient({ ...common, informers, type: clusterCSIDrivers, name: driverName });
    const { namespace } = bench;
    controller =
      kind === "Deployment"
        ? deploymentController({ ...common, operator, informer: informers.informer(deployments, { namespace }) }, spec)
        : daemonSetController(
            { ...common, operator, informer: informers.informer(daemonSets, { namespace }) },
            { ...spec, objectHooks: [withNodeRollout()] },
          );
  });
  const running = controller as unknown as OperatorController;
  ended = running.run(stop.signal);
  return running;
}

const ref = () => ({ name: "kit", namespace: bench.namespace });
const deployment = (): Promise<Deployment | undefined> => bench.client.find(deployments, ref());
const daemonSet = (): Promise<DaemonSet | undefined> => bench.client.find(daemonSets, ref());
const driver = () => bench.client.get(clusterCSIDrivers, { name: driverName });
const condition = async (type: string) => {
  const found = (await driver()).status?.conditions?.find((each) => each.type === type);
  return found && `${found.status} ${found.reason ?? ""}: ${found.message ?? ""}`;
};
const change = (spec: { logLevel?: LogLevel; managementState?: ManagementState }) =>
  bench.client.patch(clusterCSIDrivers, { name: driverName }, { type: "merge", patch: { spec } });
const wait = { timeout: 60_000 };

describe("a Deployment of an operator", () => {
  it("that cannot start is reported with the reason of its Pods", async () => {
    await start("Deployment", "\n  progressDeadlineSeconds: 1");
    await expect.poll(() => condition("KitDegraded"), wait).toMatch(/^True SyncError: .*Unschedulable: /u);
    expect(await condition("KitDegraded")).toContain(
      `deployment ${bench.namespace}/kit does not progress: ProgressDeadlineExceeded`,
    );
    expect(await condition("KitAvailable")).toBe("False Deploying: Waiting for Deployment");
    expect(await condition("KitProgressing")).toBe("True Deploying: Waiting for Deployment to deploy pods");
    expect(bench.requests.filter((request) => request === "list pods").length).toBeLessThanOrEqual(2);
  });

  it("is put right when somebody changes it, and foreign labels and restarts survive", async () => {
    await start("Deployment");
    await expect.poll(() => condition("KitDegraded"), wait).toBe("False AsExpected: ");
    const restartedAt = { "kubectl.kubernetes.io/restartedAt": "2024-01-01T00:00:00Z" };
    const patch = {
      metadata: { labels: { mine: "yes" } },
      spec: { replicas: 5, template: { metadata: { annotations: restartedAt } } },
    };
    await bench.client.patch(deployments, ref(), { type: "merge", patch });
    await expect.poll(async () => (await deployment())?.spec?.replicas, wait).toBe(1);
    const after = await deployment();
    expect(after?.metadata.labels).toMatchObject({ mine: "yes" });
    expect(after?.spec?.template.metadata?.annotations).toMatchObject(restartedAt);
    const generation = async () => (await driver()).status?.generations?.[0]?.lastGeneration;
    await expect.poll(generation, wait).toBe(after?.metadata.generation);
  });

  it("goes with the operand, and the operator's resource is then free to go", async () => {
    await start("Deployment");
    await expect.poll(async () => (await driver()).metadata.finalizers, wait).toEqual([finalizer]);
    await expect.poll(() => condition("KitAvailable"), wait).toBeDefined();
    await change({ managementState: "Removed" });
    await expect.poll(deployment, wait).toBeUndefined();
    await expect.poll(async () => (await driver()).metadata.finalizers ?? [], wait).toEqual([]);
    expect(await condition("KitAvailable")).toBeUndefined();
  });
});

describe("a DaemonSet of an operator", () => {
  const stable = async () => (await daemonSet())?.metadata.annotations?.["storage.openshift.io/stable-generation"];

  it("notes each generation that was rolled out, and costs nothing afterwards", async () => {
    const controller = await start("DaemonSet");
    await expect.poll(stable, wait).toBe("1");
    expect((await daemonSet())?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable).toBe("10%");
    await change({ logLevel: "Trace" });
    await expect.poll(stable, wait).toBe("2");
    expect((await daemonSet())?.spec?.template.spec?.containers[0]?.args).toEqual(["--v=6"]);
    await expect.poll(() => condition("KitProgressing"), wait).toBe("False AsExpected: DaemonSet is not progressing");
    expect(await condition("KitAvailable")).toContain("False Deploying");
    await expect.poll(() => condition("KitDegraded"), wait).toBe("False AsExpected: ");
    bench.requests.length = 0;
    // Syncs follow one another: when one begins, those before it have ended.
    for (let turn = 0; turn < 3; turn++) {
      const before = syncs;
      controller.trigger();
      await expect.poll(() => syncs).toBeGreaterThan(before);
    }
    expect(bench.requests).toEqual([]);
  });

  it("is made anew when its selector has changed, with the annotations of others", async () => {
    await bench.client.create(daemonSets, {
      metadata: { ...ref(), annotations: { "storage.openshift.io/stable-generation": "1", mine: "yes" } },
      spec: {
        selector: { matchLabels: { app: "old" } },
        template: {
          metadata: { labels: { app: "old" } },
          spec: { containers: [{ name: "csi-driver", image: "registry.test/driver:0" }] },
        },
      },
    });
    await start("DaemonSet");
    await expect.poll(async () => (await daemonSet())?.spec?.selector.matchLabels, wait).toEqual({ app: "kit" });
    await expect.poll(() => condition("KitProgressing"), wait).toBe("False AsExpected: DaemonSet is not progressing");
    expect((await daemonSet())?.metadata.annotations).toMatchObject({ mine: "yes" });
  });
});
