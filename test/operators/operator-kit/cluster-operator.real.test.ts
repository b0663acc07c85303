import { clusterCSIDrivers, clusterOperators } from "@stowage/machinery";
import { clusterOperatorController } from "@stowage/operator";
import { afterEach, beforeEach, expect, it } from "vitest";
import { driverName } from "./kit-bench.ts";
import { installPlatformCrds, type OperatorBench, startOperatorBench } from "./operator-bench.ts";

let bench: OperatorBench;
let name: string;
let looks: number;

beforeEach(async () => {
  bench = await startOperatorBench();
  await installPlatformCrds(bench.kit);
  name = `storage-${bench.kit.suffix}`;
  bench.kit.willDelete(clusterOperators, name);
  bench.kit.requests.length = 0;
  looks = 0;
});

afterEach(() => bench?.[Symbol.asyncDispose]());

const read = () => bench.kit.client.find(clusterOperators, { name });
const conditions = async () =>
  (await read())?.status?.conditions?.map(({ type, status, reason }) => `${type}=${status}/${reason}`);

function controller() {
  return clusterOperatorController(bench.deps, {
    name,
    versions: () => {
      looks++;
      return { operator: "4.20" };
    },
    staticObjects: [{ group: "", resource: "namespaces", name: "openshift-cluster-storage-operator" }],
    relatedObjects: async () => undefined,
  });
}

it("a ClusterOperator follows its operator, is written only when something changes, and goes with it", async () => {
  const running = controller();
  bench.start(running);
  await expect.poll(conditions).toHaveLength(5);
  expect(bench.kit.requests).toEqual(["create clusteroperators", "update clusteroperators/status"]);
  const available = { type: "KitAvailable", status: "True", reason: "R", message: "serving" } as const;
  await bench.operator.applyStatus("Kit", { conditions: [available] });
  await expect.poll(conditions).toContain("Available=True/AsExpected");
  const { status, metadata } = (await read()) ?? {};
  expect(status?.versions).toEqual([{ name: "operator", version: "4.20" }]);
  expect(status?.relatedObjects).toEqual([
    { group: "", resource: "namespaces", name: "openshift-cluster-storage-operator" },
  ]);
  // When it looks for the second time from here, the first time is over.
  for (let turn = 0; turn < 2; turn++) {
    const before = looks;
    running.trigger();
    await expect.poll(() => looks).toBeGreaterThan(before);
  }
  expect((await read())?.metadata.resourceVersion).toBe(metadata?.resourceVersion);
  await bench.kit.client.delete(clusterCSIDrivers, { name: driverName });
  await expect.poll(read).toBeUndefined();
});

it("a process that begins anew writes nothing that is there", async () => {
  bench.start(controller());
  await expect.poll(conditions).toHaveLength(5);
  bench.kit.requests.length = 0;
  const second = controller();
  bench.start(second);
  await bench.operator.applyStatus("Kit", { conditions: [{ type: "KitUpgradeable", status: "False", reason: "R" }] });
  await expect.poll(conditions).toContain("Upgradeable=False/Kit_R");
  expect(bench.kit.requests.filter((request) => request.startsWith("create"))).toEqual([]);
});
