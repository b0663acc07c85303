import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient, createTransport, isConflict, isInvalid, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  apiServers,
  type ClusterOperator,
  cephCSIDrivers,
  clusterCSIDriverNames,
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  credentialsRequests,
  customResourceDefinitions,
  featureGates,
  infrastructures,
  type KubernetesObject,
  localCSIDriver,
  type OperatorCondition,
  type ResourceType,
  randomSuffix,
  storages,
} from "@stowage/machinery";
import { platformCrds, storageOperatorCrds } from "@stowage/machinery/openshift-crds";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { resolveOptions } from "../../packages/drivers/src/local/options.ts";
import { completeObjects } from "../../packages/machinery/src/openshift-api/crds/fixtures/complete-objects.ts";
import { openshiftChanges, openshiftRefusals } from "./openshift-crd-cases.ts";

const kubectlPath = fileURLToPath(new URL("../../.lab/bin/kubectl", import.meta.url));
const manifests = fileURLToPath(new URL("../../packages/operators/manifests/crds", import.meta.url));
const crds = [...storageOperatorCrds, ...platformCrds];
const prefix = `crds-${randomSuffix(Math.random)}`;
const namespace = "default";
const time = "2026-01-02T03:04:05Z";

let client: KubeClient;
let close: () => void;

async function kubectl(...words: string[]): Promise<string> {
  return (await promisify(execFile)(kubectlPath, ["--kubeconfig", inject("kubeconfig"), ...words])).stdout;
}

beforeAll(async () => {
  const transport = createTransport(await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: "/" }));
  client = createClient({ transport });
  close = () => transport.close();
  await kubectl("apply", "--server-side", "--force-conflicts", "-f", manifests);
  await kubectl("wait", "--for=condition=Established", "--timeout=60s", "-f", manifests);
});

afterAll(() => close());

function named(type: ResourceType, name: string, body: object): KubernetesObject {
  return { ...body, metadata: { name, ...(type.namespaced && { namespace }) } } as unknown as KubernetesObject;
}

/** Makes the object, and deletes it when `use` is done with it. */
async function withObject<T extends KubernetesObject, R>(
  type: ResourceType<T>,
  object: KubernetesObject,
  use: (made: T, ref: { name: string; namespace?: string }) => Promise<R>,
): Promise<R> {
  const made = await client.create(type, object as T, { fieldValidation: "Strict" });
  const ref = { name: made.metadata.name ?? "", ...(type.namespaced && { namespace }) };
  try {
    return await use(made, ref);
  } finally {
    await client.delete(type, ref);
  }
}

const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable("the server took it"),
    (error: unknown) => error,
  );

describe("the CRDs of OpenShift's API", () => {
  it("are established and structural, under the names that they ask for", async () => {
    for (const { metadata, spec } of crds) {
      const { status } = await client.get(customResourceDefinitions, { name: metadata.name ?? "" });
      expect(status?.conditions).toContainEqual(expect.objectContaining({ type: "Established", status: "True" }));
      expect(status?.conditions).not.toContainEqual(expect.objectContaining({ type: "NonStructuralSchema" }));
      expect(status?.acceptedNames).toEqual(spec.names);
    }
  });

  it.each(completeObjects.map((object) => [object.kind, object] as const))(
    "keep every field of a %s, and no other",
    async (kind, complete) => {
      const crd = crds.find(({ spec }) => spec.names.kind === kind);
      if (crd === undefined) throw new Error(`no definition of ${kind}`);
      const { group, names, scope } = crd.spec;
      const type: ResourceType<KubernetesObject & { spec: unknown; status?: unknown }> = {
        group,
        version: "v1",
        plural: names.plural,
        kind,
        namespaced: scope === "Namespaced",
      };
      const { status, ...body } = complete as typeof complete & { spec: object; status: object };
      const spec = kind === "ClusterCSIDriver" ? withoutExclusiveMembers(body.spec) : body.spec;
      const name = kind === "ClusterCSIDriver" ? "ebs.csi.aws.com" : prefix;
      await withObject(type, named(type, name, { ...body, spec }), async (made, ref) => {
        const patch = { type: "merge", patch: { status } } as const;
        const written = await client.patch(type, ref, patch, { subresource: "status", fieldValidation: "Strict" });
        expect(made.spec).toEqual(spec);
        expect(written.status).toEqual(status);
        const more = { spec: { unknown: 1 }, unknown: 1 };
        const patched = await client.patch(type, ref, { type: "merge", patch: more }, { dryRun: true });
        expect(patched.spec).toEqual(spec);
        expect(patched).not.toHaveProperty("unknown");
      });
    },
  );

  it.each(openshiftRefusals)("refuse $what", async ({ type, name = prefix, body, message }) => {
    const error = await failureOf(client.create(type, named(type, name, body), { dryRun: true }));
    expect(isInvalid(error), String(error)).toBe(true);
    expect(String(error)).toMatch(message);
  });

  it.each(openshiftChanges)("keep $what", async ({ type, name = prefix, body, change, message, subresource }) => {
    const { status, ...rest } = body as { status?: object };
    const error = await withObject(type, named(type, name, rest), async (_made, ref) => {
      const write = (patch: object) =>
        client.patch(type, ref, { type: "merge", patch }, subresource === undefined ? {} : { subresource });
      if (status !== undefined) await write({ status });
      return await failureOf(write(change));
    });
    expect(isInvalid(error), String(error)).toBe(true);
    expect(String(error)).toMatch(message);
  });
});

/** The two that go with one type of driver alone. */
function withoutExclusiveMembers(spec: object): object {
  const { driverConfig } = spec as { driverConfig: Record<string, unknown> };
  const { ibmcloud: _ibmcloud, secretsStore: _secretsStore, ...others } = driverConfig;
  return { ...spec, driverConfig: others };
}

describe("a ClusterCSIDriver", () => {
  const create = (name: string) =>
    client.create(clusterCSIDrivers, named(clusterCSIDrivers, name, { spec: {} }) as never, { dryRun: true });

  it.each([...clusterCSIDriverNames])("may be named %s", async (name) => {
    expect((await create(name)).metadata.name).toBe(name);
  });

  it.each(cephCSIDrivers.map((name) => `rook-ceph.${name}`))("may be named %s", async (name) => {
    expect((await create(name)).metadata.name).toBe(name);
  });

  it.each(["cluster", "hostpath.csi.k8s.io", "rook.ebs.csi.aws.com", "rookrbd.csi.ceph.com", "rook.rgw.csi.ceph.com"])(
    "may not be named %s",
    async (name) => {
      const error = await failureOf(create(name));
      expect(isInvalid(error)).toBe(true);
      expect(String(error)).toMatch(/the name must be that of a CSI driver/u);
    },
  );

  it("may have the name that the local driver has by itself", () => {
    expect(resolveOptions({ stateDir: "/nowhere", nodeId: "n" }).driverName).toBe(localCSIDriver);
  });
});

describe("the server", () => {
  it("fills in what is left out", async () => {
    const dry = { dryRun: true };
    const storage = await client.create(storages, named(storages, prefix, { spec: {} }) as never, dry);
    expect(storage.spec).toEqual({ logLevel: "Normal", operatorLogLevel: "Normal" });
    const apiServer = await client.create(apiServers, named(apiServers, prefix, { spec: {} }) as never, dry);
    expect(apiServer.spec).toEqual({ audit: { profile: "Default" } });
    const platformSpec = { type: "External", external: {} };
    const infrastructure = named(infrastructures, prefix, { spec: { platformSpec } });
    await withObject(infrastructures, infrastructure, async (made, ref) => {
      expect(made.spec.platformSpec?.external).toEqual({ platformName: "Unknown" });
      const status = { infrastructureName: "i", platformStatus: { type: "GCP", gcp: {}, vsphere: {} } };
      const patch = { type: "merge", patch: { status } } as const;
      expect((await client.patch(infrastructures, ref, patch, { subresource: "status" })).status).toEqual({
        infrastructureName: "i",
        controlPlaneTopology: "HighlyAvailable",
        infrastructureTopology: "HighlyAvailable",
        cpuPartitioning: "None",
        platformStatus: {
          type: "GCP",
          gcp: { cloudLoadBalancerConfig: { dnsType: "PlatformDefault" } },
          vsphere: { loadBalancer: { type: "OpenShiftManagedDefault" } },
        },
      });
    });
  });

  it("drops what it does not know, and keeps what is left free", async () => {
    const spec = { unknown: 1, observedConfig: { a: { b: [1] } }, unsupportedConfigOverrides: null };
    const made = await client.create(storages, named(storages, prefix, { spec, more: 1 }) as never, { dryRun: true });
    const { unknown: _, ...known } = spec;
    expect(made.spec).toEqual({ ...known, logLevel: "Normal", operatorLogLevel: "Normal" });
    expect(made).not.toHaveProperty("more");
    const request = { spec: { secretRef: {}, providerSpec: { kind: "K", deep: { x: [{}] } } } };
    const asked = await client.create(credentialsRequests, named(credentialsRequests, prefix, request) as never, {
      dryRun: true,
    });
    expect(asked.spec).toEqual(request.spec);
  });

  it("does not take the status with the spec", async () => {
    const status = { conditions: [], versions: [{ name: "operator", version: "1" }] };
    const made = await client.create(clusterOperators, named(clusterOperators, prefix, { spec: {}, status }) as never, {
      dryRun: true,
    });
    expect(made.status).toBeUndefined();
  });
});

describe("server-side apply of a status", () => {
  const condition = (type: string, message: string): OperatorCondition => ({
    type,
    status: "True",
    lastTransitionTime: time,
    message,
  });

  it.each([
    ["Storage", storages],
    ["ClusterOperator", clusterOperators as unknown as typeof storages],
  ])("lets two managers have a condition of a %s each", async (_kind, type) => {
    await withObject(type, named(type, prefix, { spec: {} }), async (_made, { name }) => {
      const apply = (fieldManager: string, conditions: OperatorCondition[]) =>
        client.apply(type, { metadata: { name }, status: { conditions } }, { fieldManager, subresource: "status" });
      await apply("one", [condition("ADegraded", "1")]);
      await apply("two", [condition("BDegraded", "2")]);
      const both = await apply("one", [condition("ADegraded", "3")]);
      expect(both.status?.conditions).toEqual([condition("ADegraded", "3"), condition("BDegraded", "2")]);
      expect(isConflict(await failureOf(apply("two", [condition("ADegraded", "4")])))).toBe(true);
      const one = await apply("two", []);
      expect(one.status?.conditions).toEqual([condition("ADegraded", "3")]);
    });
  });

  it("tells generations apart by group, resource, namespace and name", async () => {
    const key = { group: "apps", resource: "deployments", namespace: "n", name: "d" };
    const others = [
      { ...key, group: "" },
      { ...key, resource: "daemonsets" },
      { ...key, namespace: "" },
      { ...key, name: "e" },
    ];
    const type = clusterCSIDrivers;
    await withObject(type, named(type, localCSIDriver, { spec: {} }), async (_made, { name }) => {
      const apply = (fieldManager: string, generations: object[]) =>
        client.apply(type, { metadata: { name }, status: { generations } }, { fieldManager, subresource: "status" });
      await apply("one", [{ ...key, lastGeneration: 1 }]);
      for (const [index, other] of others.entries()) {
        await apply(`other-${index}`, [{ ...other, lastGeneration: 2 }]);
      }
      const all = await apply("one", [{ ...key, lastGeneration: 3 }]);
      expect(all.status?.generations).toHaveLength(5);
      expect(all.status?.generations).toContainEqual({ ...key, lastGeneration: 3 });
      expect(isConflict(await failureOf(apply("two", [{ ...key, lastGeneration: 4 }])))).toBe(true);
    });
  });
});

describe("kubectl get", () => {
  const rows = async (plural: string) =>
    (await kubectl("get", plural, prefix))
      .trim()
      .split("\n")
      .map((line) => line.trim().split(/\s+/u));
  const condition = (type: string, status: OperatorCondition["status"], message: string): OperatorCondition => ({
    type,
    status,
    lastTransitionTime: new Date(Date.now() - 5 * 60_000).toISOString(),
    message,
  });

  it("shows a ClusterOperator as oc does", async () => {
    const status: ClusterOperator["status"] = {
      versions: [
        { name: "operand", version: "0.9" },
        { name: "operator", version: "1.2.3" },
      ],
      conditions: [
        condition("Degraded", "False", ""),
        condition("Progressing", "Unknown", ""),
        condition("Available", "True", ""),
      ],
    };
    await withObject(clusterOperators, named(clusterOperators, prefix, { spec: {} }), async (_made, ref) => {
      await client.patch(clusterOperators, ref, { type: "merge", patch: { status } }, { subresource: "status" });
      const [header, row] = await rows("co");
      expect(header).toEqual(["NAME", "VERSION", "AVAILABLE", "PROGRESSING", "DEGRADED", "SINCE"]);
      expect(row).toEqual([prefix, "1.2.3", "True", "Unknown", "False", expect.stringMatching(/^5m/u)]);
    });
  });

  it("shows a ClusterVersion as oc does", async () => {
    const entry = { startedTime: time, image: "i", verified: true };
    const status = {
      desired: { version: "2", image: "i" },
      history: [
        { ...entry, state: "Partial", version: "2", completionTime: null },
        { ...entry, state: "Completed", version: "1", completionTime: time },
      ],
      observedGeneration: 1,
      versionHash: "h",
      availableUpdates: null,
      conditions: [condition("Available", "True", "Done"), condition("Progressing", "True", "Working")],
    };
    const object = named(clusterVersions, prefix, { spec: { clusterID: "c" } });
    await withObject(clusterVersions, object, async (made) => {
      // Not by a merge patch, which would take the nulls away.
      await client.update(clusterVersions, { ...made, status: status as never }, { subresource: "status" });
      const [header, row] = await rows("clusterversions");
      expect(header).toEqual(["NAME", "VERSION", "AVAILABLE", "PROGRESSING", "SINCE", "STATUS"]);
      expect(row).toEqual([prefix, "1", "True", "True", expect.stringMatching(/^5m/u), "Working"]);
    });
  });

  it("shows of the others their age", async () => {
    await withObject(featureGates, named(featureGates, prefix, { spec: {} }), async () => {
      expect((await rows("featuregates"))[0]).toEqual(["NAME", "AGE"]);
    });
  });
});
