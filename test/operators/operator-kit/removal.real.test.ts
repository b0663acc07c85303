import {
  clusterCSIDrivers,
  configMaps,
  deployments,
  type KubernetesObject,
  pods,
  roles,
  serviceAccounts,
} from "@stowage/machinery";
import {
  applyObject,
  createOrderedDeletion,
  operatorController,
  operatorFinalizer,
  removable,
} from "@stowage/operator";
import { afterEach, beforeEach, expect, it } from "vitest";
import { driverName } from "./kit-bench.ts";
import { type OperatorBench, startOperatorBench } from "./operator-bench.ts";

let bench: OperatorBench;

beforeEach(async () => {
  bench = await startOperatorBench();
});

afterEach(() => bench?.[Symbol.asyncDispose]());

it("a resource goes after what was made for it, and waits for what lingers", async () => {
  const { client, namespace } = bench.kit;
  const metadata = { namespace, name: "operand" };
  const labels = { app: "operand" };
  const containers = [{ name: "c", image: "none" }];
  const deployment = { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } };
  const operand: KubernetesObject[] = [
    { apiVersion: "apps/v1", kind: "Deployment", metadata, spec: deployment } as KubernetesObject,
    { apiVersion: "v1", kind: "ServiceAccount", metadata },
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata },
    { apiVersion: "v1", kind: "ConfigMap", metadata: { ...metadata, finalizers: ["stowage.test/lingers"] } },
  ];
  const { deps, operator } = bench;
  const deletion = createOrderedDeletion(deps);
  const finalizer = operatorFinalizer("kit-operator", "Kit");
  const spec = removable(
    {
      name: "Kit",
      async sync({ signal }) {
        for (const object of operand) await applyObject(deps, object, { signal });
      },
    },
    { operator, finalizer, remove: ({ signal }) => deletion(operand, signal) },
  );
  bench.start(operatorController(deps, spec));
  await expect.poll(() => client.find(configMaps, metadata)).toBeDefined();
  await expect.poll(async () => (await client.list(pods, { namespace })).items, { timeout: 60_000 }).toHaveLength(1);
  expect((await bench.readDriver())?.metadata.finalizers).toEqual([finalizer]);

  await client.delete(clusterCSIDrivers, { name: driverName });
  // The controller looks again every two seconds, and the Deployment and its Pods go first.
  await expect
    .poll(async () => (await client.find(configMaps, metadata))?.metadata.deletionTimestamp, { timeout: 20_000 })
    .toBeDefined();
  expect((await bench.readDriver())?.metadata.finalizers).toEqual([finalizer]);
  expect(await client.find(roles, metadata)).toBeDefined();
  expect(await client.find(deployments, metadata)).toBeUndefined();
  expect((await client.list(pods, { namespace })).items).toEqual([]);
  const patch = { metadata: { finalizers: null } };
  await client.patch(configMaps, metadata, { type: "merge", patch });
  await expect.poll(bench.readDriver, { timeout: 60_000 }).toBeUndefined();
  expect(await client.find(roles, metadata)).toBeUndefined();
  expect(await client.find(serviceAccounts, metadata)).toBeUndefined();
});
