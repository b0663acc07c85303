import type { InformerFactory } from "@stowage/kube";
import {
  clusterCSIDrivers,
  csiDrivers,
  type StorageClassState,
  silentLogger,
  storageClasses,
  systemClock,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import {
  applyObject,
  createOperatorClient,
  csiDriverController,
  defaultClassAnnotation,
  type OperatorController,
  storageClassController,
  volumeSnapshotClassController,
} from "@stowage/operator";
import { snapshotCrds } from "@stowage/sidecars";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createDriverResource, driverName, ensureOperatorCrds, type KitBench, startKitBench } from "./kit-bench.ts";

let bench: KitBench;
let stop: AbortController;
let ended: Promise<void> | undefined;
let name: string;

beforeEach(async () => {
  bench = await startKitBench();
  stop = new AbortController();
  name = `kit-${bench.suffix}`;
  await ensureOperatorCrds(bench);
  await createDriverResource(bench);
});

afterEach(async () => {
  stop.abort();
  await ended;
  await bench?.[Symbol.asyncDispose]();
});

const common = () => ({ ...bench.deps, mapper: bench.mapper, clock: systemClock, logger: silentLogger });
const operatorOf = (informers: InformerFactory) =>
  createOperatorClient({ ...common(), informers, type: clusterCSIDrivers, name: driverName });

async function run(make: (informers: InformerFactory) => OperatorController): Promise<void> {
  let controller: OperatorController | undefined;
  await bench.startInformers((informers) => {
    controller = make(informers);
  });
  ended = (controller as unknown as OperatorController).run(stop.signal);
}

const wait = { timeout: 60_000 };
const degraded = async (type: string) => {
  const { status } = await bench.client.get(clusterCSIDrivers, { name: driverName });
  return status?.conditions?.find((each) => each.type === type)?.status;
};

describe("a storage class of an operator", () => {
  const storageClass = () => bench.client.find(storageClasses, { name });
  const isDefault = async () => (await storageClass())?.metadata.annotations?.[defaultClassAnnotation];
  const setState = (storageClassState: StorageClassState) =>
    bench.client.patch(
      clusterCSIDrivers,
      { name: driverName },
      { type: "merge", patch: { spec: { storageClassState } } },
    );

  async function start(): Promise<void> {
    bench.willDelete(storageClasses, name);
    const text = `
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: ${name}, annotations: {${defaultClassAnnotation}: "true"}}
provisioner: ${driverName}
parameters: {type: fast}
allowVolumeExpansion: true
`;
    await run((informers) =>
      storageClassController(
        { ...common(), operator: operatorOf(informers), informer: informers.informer(storageClasses) },
        { assets: [{ name: "class.yaml", text }] },
      ),
    );
    await expect.poll(() => degraded("StorageClassControllerDegraded"), wait).toBe("False");
  }

  it("is made anew with the user's choice when what cannot be changed was changed", async () => {
    await start();
    await expect.poll(isDefault, wait).toBe("true");
    const before = await storageClass();
    await bench.client.delete(storageClasses, { name });
    await expect.poll(storageClass, wait).toBeDefined();
    expect((await storageClass())?.metadata.uid).not.toBe(before?.metadata.uid);
    const patch = { metadata: { annotations: { [defaultClassAnnotation]: "false" } }, allowVolumeExpansion: false };
    await bench.client.patch(storageClasses, { name }, { type: "merge", patch });
    await expect.poll(async () => (await storageClass())?.allowVolumeExpansion, wait).toBe(true);
    expect(await isDefault()).toBe("false");
    const unset = { metadata: { annotations: { [defaultClassAnnotation]: null } } };
    await bench.client.patch(storageClasses, { name }, { type: "merge", patch: unset });
    await expect.poll(isDefault, wait).toBe("true");
  });

  it("that another one made before with other parameters is replaced, and its user's choice is kept", async () => {
    const annotations = { [defaultClassAnnotation]: "false", mine: "yes" };
    const old = { metadata: { name, annotations }, provisioner: driverName, parameters: { type: "slow" } };
    await bench.client.create(storageClasses, old);
    await start();
    await expect.poll(async () => (await storageClass())?.parameters, wait).toEqual({ type: "fast" });
    expect((await storageClass())?.metadata.annotations).toMatchObject(annotations);
  });

  it("keeps a choice that the user made after the operator last looked", async () => {
    bench.willDelete(storageClasses, name);
    const annotated = (value: string) => ({ name, annotations: { [defaultClassAnnotation]: value } });
    const fields = { apiVersion: "storage.k8s.io/v1", kind: "StorageClass", provisioner: driverName } as const;
    const parameters = { type: "slow" };
    const stale = await bench.client.create(storageClasses, { ...fields, metadata: annotated("true"), parameters });
    await bench.client.patch(storageClasses, { name }, { type: "merge", patch: { metadata: annotated("false") } });
    const local = { covers: () => true, find: () => stale };
    const wanted = { ...fields, metadata: annotated("true"), parameters: { type: "fast" } };
    const { change, object } = await applyObject({ ...bench.deps, local }, wanted);
    expect(change).toBe("recreated");
    expect(object.metadata.annotations).toMatchObject({ [defaultClassAnnotation]: "false" });
  });

  it("follows the state in the ClusterCSIDriver", async () => {
    await start();
    await expect.poll(storageClass, wait).toBeDefined();
    await setState("Removed");
    await expect.poll(storageClass, wait).toBeUndefined();
    await setState("Managed");
    await expect.poll(storageClass, wait).toBeDefined();
  });
});

describe("a CSIDriver of an operator", () => {
  it("is made anew when its spec changes, and keeps the word of the administrator", async () => {
    const profile = "security.openshift.io/csi-ephemeral-volume-profile";
    const driver = () => bench.client.find(csiDrivers, { name });
    bench.willDelete(csiDrivers, name);
    await bench.client.create(csiDrivers, {
      metadata: { name, labels: { [profile]: "privileged" } },
      spec: { attachRequired: false, volumeLifecycleModes: ["Persistent", "Ephemeral"] },
    });
    const text = `
apiVersion: storage.k8s.io/v1
kind: CSIDriver
metadata: {name: ${name}, labels: {${profile}: restricted}}
spec: {attachRequired: true, volumeLifecycleModes: [Persistent, Ephemeral]}
`;
    await run((informers) =>
      csiDriverController(
        { ...common(), operator: operatorOf(informers), informer: informers.informer(csiDrivers) },
        { name: "KitCSIDriver", asset: { name: "csidriver.yaml", text } },
      ),
    );
    await expect.poll(async () => (await driver())?.spec.attachRequired, wait).toBe(true);
    expect((await driver())?.metadata.labels).toEqual({ [profile]: "privileged" });
    expect((await driver())?.metadata.annotations).toMatchObject({ "csi.openshift.io/managed": "true" });
  });
});

describe("a snapshot class of an operator", () => {
  it("comes when its definition does, and its default is the user's", async () => {
    const snapshotClass = () => bench.client.find(volumeSnapshotClasses, { name });
    const text = `
apiVersion: snapshot.storage.k8s.io/v1
kind: VolumeSnapshotClass
metadata: {name: ${name}, annotations: {snapshot.storage.kubernetes.io/is-default-class: "true"}}
driver: ${driverName}
deletionPolicy: Delete
parameters: {incremental: "true"}
`;
    await run((informers) =>
      volumeSnapshotClassController(
        { ...common(), operator: operatorOf(informers), informers },
        { assets: [{ name: "snapshots.yaml", text }] },
      ),
    );
    await expect.poll(() => degraded("VolumeSnapshotClassControllerDegraded"), wait).toBe("False");
    bench.willDelete(volumeSnapshotClasses, name);
    for (const definition of snapshotCrds) await applyObject(bench.deps, definition);
    await expect.poll(() => snapshotClass().catch(() => undefined), wait).toBeDefined();
    bench.requests.length = 0;
    const patch = { metadata: { annotations: null }, parameters: { incremental: "false" } };
    await bench.client.patch(volumeSnapshotClasses, { name }, { type: "merge", patch });
    await expect.poll(async () => (await snapshotClass())?.parameters, wait).toEqual({ incremental: "true" });
    expect((await snapshotClass())?.metadata.annotations).toBeUndefined();
    expect(bench.requests.filter((request) => request.endsWith(" volumesnapshotclasses"))).toEqual([
      "update volumesnapshotclasses",
    ]);
  });
});
