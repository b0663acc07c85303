import { credentialsRequests, type KubernetesObject } from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { applyObject, targetOf } from "@stowage/operator";
import { driverIds, loadDriverProfile, renderDriver, type SidecarsMode } from "@stowage/operators/csi-driver";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../node/kubelet/cluster.ts";
import { ensureSnapshotCrds } from "../sidecars/snapshot-crds.ts";
import { type KitBench, startKitBench } from "./operator-kit/kit-bench.ts";

// What operators of drivers apply, before the real API server: it has the last word on every field. Nothing is kept there.

const usual = {
  topology: "HighlyAvailable",
  clusterId: "shop-x7",
  logLevel: "Normal",
  tlsProfile: "Intermediate",
} as const;

/** Its definition belongs to Prometheus' operator, and is not here. */
const foreignKinds = ["ServiceMonitor"];

const profiles = await Promise.all(driverIds.map(loadDriverProfile));
const variants = profiles.flatMap(({ id, sidecars }) => sidecars.map((mode): [string, SidecarsMode] => [id, mode]));

let bench: KitBench;

beforeAll(async () => {
  bench = await startKitBench();
  await ensureSnapshotCrds(bench.client);
  await ensureCredentialsRequests();
});
afterAll(() => bench[Symbol.asyncDispose]());

async function render(id: string, cluster: object): Promise<KubernetesObject[]> {
  const profile = { ...(await loadDriverProfile(id)), namespace: bench.namespace };
  return (await renderDriver(profile, { cluster: { ...usual, ...cluster }, env: {} })).map(inTestNamespace);
}

/** Requests for credentials are OpenShift's, and looked at in a namespace that is not here. */
async function ensureCredentialsRequests(): Promise<void> {
  const name = `${credentialsRequests.plural}.${credentialsRequests.group}`;
  const definition = platformCrds.find(({ metadata }) => metadata.name === name);
  if (definition === undefined) throw new Error(`there is no definition ${name}`);
  await applyObject(bench.deps, definition);
  await eventually(async () => {
    bench.mapper.invalidate();
    await bench.client.list(credentialsRequests);
    expect(await bench.mapper.has(credentialsRequests)).toBe(true);
  });
}

function inTestNamespace(object: KubernetesObject): KubernetesObject {
  if (object.kind !== credentialsRequests.kind) return object;
  return { ...object, metadata: { ...object.metadata, namespace: bench.namespace } };
}

/** As if it were created, with fields that the server does not know refused. */
async function tryCreation(object: KubernetesObject): Promise<KubernetesObject> {
  const { type } = await targetOf(bench, object);
  return bench.client.create(type, object, { dryRun: true, fieldValidation: "Strict" });
}

/** An empty selector is the same as none, and the server keeps none. */
function asKept(object: KubernetesObject): KubernetesObject {
  return JSON.parse(JSON.stringify(object).replace('"nodeSelector":{},', ""));
}

describe.each(variants)("what is applied for %s with sidecars: %s", (id, sidecars) => {
  it.each(["HighlyAvailable", "SingleReplica", "External"])(
    "is accepted by the API server, field by field (%s)",
    async (topology) => {
      const objects = await render(id, { sidecars, topology });
      const known = objects.filter(({ kind }) => !foreignKinds.includes(kind));
      expect(known.length).toBeGreaterThan(12);
      for (const object of known) {
        const accepted = await tryCreation(object);
        expect(accepted, `${object.kind} ${object.metadata.name}`).toMatchObject(asKept(object));
      }
    },
  );
});
