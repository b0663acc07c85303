import {
  events,
  nodes,
  type PersistentVolume,
  type PolicyRule,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  provisioningAnnotations,
  provisioningFinalizers,
  secrets,
  storageClasses,
  systemClock,
  type VolumeSnapshot,
  volumeAttachments,
  volumeAttributesClasses,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { provisionerRules, provisionerSecretRules } from "../../packages/sidecars/src/provisioner/index.ts";
import { topologyRules } from "../../packages/sidecars/src/provisioner/topology/index.ts";
import { ensureSnapshotCrds } from "../../packages/sidecars/src/snapshot-crds/index.ts";
import { DriverNodes } from "./driver-nodes.ts";
import {
  boundVolume,
  deleteClaim,
  eventually,
  expectNothingLeaked,
  expectNoVolumes,
  makeClaim,
  makeClass,
  provisioner,
  readClaim,
} from "./provisioner-objects.ts";
import { countingClient } from "./request-counter.ts";
import { type SidecarBench, startSidecarBench } from "./sidecar-bench.ts";

const GIB = 1024n ** 3n;
let bench: SidecarBench;

beforeAll(async () => {
  bench = await startSidecarBench({
    rules: [provisionerRules, provisionerSecretRules],
    sidecars: provisioner({ snapshotOrphanSweepIntervalMs: 300 }),
  });
  await ensureSnapshotCrds({ client: bench.client, clock: systemClock }, { timeoutMs: 20_000 });
  await makeClass(bench);
});
afterEach(() => bench.driver.clearFaults());
afterAll(() => bench[Symbol.asyncDispose]());

describe("a claim", () => {
  it("gets a volume, is bound to it, and takes it along when it goes", async () => {
    const claim = await makeClaim(bench, "whole-life");
    const volume = await boundVolume(bench, "whole-life");
    expect(volume.metadata.name).toBe(`pvc-${claim.metadata.uid}`);
    expect(volume.metadata.finalizers).toContain(provisioningFinalizers.volume);
    expect(volume.metadata.annotations).toMatchObject({
      [provisioningAnnotations.provisionedBy]: bench.driverName,
      [provisioningAnnotations.deletionSecretName]: "",
      [provisioningAnnotations.deletionSecretNamespace]: "",
    });
    expect(volume.spec).toMatchObject({ capacity: { storage: "1Gi" }, persistentVolumeReclaimPolicy: "Delete" });
    expect(bench.driver.state().volumes).toMatchObject([
      { id: volume.spec?.csi?.volumeHandle, name: volume.metadata.name },
    ]);
    await eventually(async () =>
      expect(await bench.eventLines(claim)).toEqual(
        expect.arrayContaining([
          `Normal Provisioning External provisioner is provisioning volume for claim "${bench.namespace}/whole-life"`,
          `Normal ProvisioningSucceeded Successfully provisioned volume ${volume.metadata.name}`,
        ]),
      ),
    );
    await deleteClaim(bench, "whole-life");
    await expectNoVolumes(bench);
  });

  it("waits for its first consumer, and gets its volume when a Pod is scheduled", async () => {
    await makeClass(bench, {
      metadata: { name: `${bench.namespace}-late` },
      volumeBindingMode: "WaitForFirstConsumer",
    });
    const claim = await makeClaim(bench, "late", { className: `${bench.namespace}-late` });
    const node = await makeReadyNode();
    await bench.client.create(pods, {
      metadata: { namespace: bench.namespace, name: "consumer" },
      spec: {
        containers: [{ name: "main", image: "none", volumeMounts: [{ name: "data", mountPath: "/data" }] }],
        nodeSelector: { "kubernetes.io/hostname": node },
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "late" } }],
        tolerations: [{ operator: "Exists" }],
      },
    });
    await boundVolume(bench, "late");
    expect((await readClaim(bench, "late")).metadata.annotations?.[provisioningAnnotations.selectedNode]).toBe(node);
    expect(claim.metadata.annotations?.[provisioningAnnotations.selectedNode]).toBeUndefined();
    await bench.client.delete(pods, { namespace: bench.namespace, name: "consumer" }, { gracePeriodSeconds: 0 });
    await deleteClaim(bench, "late");
    await bench.client.delete(nodes, { name: node });
    await expectNoVolumes(bench);
  });

  it("tells the driver and the PV all that its class says", async () => {
    const name = `${bench.namespace}-rich`;
    await makeClass(bench, {
      metadata: { name },
      parameters: {
        "csi.storage.k8s.io/fstype": "xfs",
        type: "fast",
        csiNodeStageSecretName: "s",
        csiNodeStageSecretNamespace: "n",
      },
      mountOptions: ["noatime"],
      reclaimPolicy: "Retain",
    });
    await makeClaim(bench, "rich", { className: name, spec: { accessModes: ["ReadWriteOnce", "ReadOnlyMany"] } });
    const volume = await boundVolume(bench, "rich");
    expect(volume.metadata.finalizers).not.toContain(provisioningFinalizers.volume);
    expect(volume.spec).toMatchObject({
      mountOptions: ["noatime"],
      persistentVolumeReclaimPolicy: "Retain",
      csi: { fsType: "xfs", nodeStageSecretRef: { name: "s", namespace: "n" } },
    });
    const [call] = bench.driver.calls("CreateVolume").slice(-1);
    expect(call?.request).toMatchObject({
      parameters: { type: "fast", csiNodeStageSecretName: "s" },
      volume_capabilities: [{ mount: { fs_type: "xfs", mount_flags: ["noatime"] } }, { mount: { fs_type: "xfs" } }],
    });
    expect(JSON.stringify(call?.request)).not.toContain("csi.storage.k8s.io/");
    await deleteClaim(bench, "rich");
    await eventually(async () => expect(await phaseOf(volume)).toBe("Released"));
    expect(bench.driver.state().volumes).toHaveLength(1);
    await setPolicy(volume, "Delete");
    await expectNoVolumes(bench);
  });

  it("for a populator is left alone, and says so", async () => {
    const claim = await makeClaim(bench, "populated", {
      spec: { dataSourceRef: { apiGroup: "example.com", kind: "Backup", name: "monday" } },
    });
    await eventually(async () =>
      expect(await bench.eventLines(claim)).toContain(
        "Normal Provisioning Assuming an external populator will provision the volume",
      ),
    );
    expect(bench.driver.state().volumes).toEqual([]);
    await deleteClaim(bench, "populated");
  });

  it("gets the attributes of its VolumeAttributesClass", async () => {
    const name = `${bench.namespace}-gold`;
    await bench.client.create(volumeAttributesClasses, {
      metadata: { name },
      driverName: bench.driverName,
      parameters: { iops: "4000" },
    });
    await makeClaim(bench, "golden", { spec: { volumeAttributesClassName: name } });
    const volume = await boundVolume(bench, "golden");
    expect(volume.spec?.volumeAttributesClassName).toBe(name);
    expect(bench.driver.state().volumes).toMatchObject([{ mutableParameters: { iops: "4000" } }]);
    await deleteClaim(bench, "golden");
    await expectNoVolumes(bench);
    await bench.client.delete(volumeAttributesClasses, { name });
  });

  it("that the driver calls invalid is tried rarely, and at once when its class is made anew", async () => {
    const name = `${bench.namespace}-wrong`;
    await makeClass(bench, { metadata: { name } });
    const fault = bench.driver.addFault({
      method: "CreateVolume",
      kind: "fail",
      code: "INVALID_ARGUMENT",
      message: "no",
    });
    const claim = await makeClaim(bench, "invalid", { className: name });
    await eventually(async () =>
      expect(await bench.eventLines(claim)).toContainEqual(
        expect.stringMatching(
          /^Warning ProvisioningFailed Volume provisioning failed with infeasible error\. Retries will be delayed\. failed to provision volume with StorageClass "\S+-wrong": rpc error: code = InvalidArgument desc = no\. Correct /,
        ),
      ),
    );
    bench.driver.removeFault(fault.id);
    // Something about the claim changes; that does not make it valid.
    await bench.client.patch(
      persistentVolumeClaims,
      { namespace: bench.namespace, name: "invalid" },
      { type: "merge", patch: { metadata: { labels: { touched: "yes" } } } },
    );
    await makeClaim(bench, "valid-meanwhile");
    await boundVolume(bench, "valid-meanwhile");
    expect((await readClaim(bench, "invalid")).status?.phase).toBe("Pending");
    await bench.client.delete(storageClasses, { name });
    await makeClass(bench, { metadata: { name } });
    await boundVolume(bench, "invalid");
    await deleteClaim(bench, "invalid");
    await deleteClaim(bench, "valid-meanwhile");
    await expectNoVolumes(bench);
  });
});

describe("a copy", () => {
  it("of a claim is cloned, and the source stays until that is done", async () => {
    await makeClaim(bench, "original");
    const source = await boundVolume(bench, "original");
    const fault = bench.driver.addFault({ method: "CreateVolume", kind: "fail", code: "ABORTED" });
    await makeClaim(bench, "clone", { spec: { dataSource: { kind: "PersistentVolumeClaim", name: "original" } } });
    await eventually(async () =>
      expect((await readClaim(bench, "original")).metadata.finalizers).toContain(
        provisioningFinalizers.cloningProtection,
      ),
    );
    await deleteClaim(bench, "original");
    bench.driver.removeFault(fault.id);
    const clone = await boundVolume(bench, "clone");
    expect(bench.driver.state().volumes).toContainEqual(
      expect.objectContaining({
        name: clone.metadata.name,
        source: { kind: "volume", id: source.spec?.csi?.volumeHandle },
      }),
    );
    await eventually(async () => {
      const ref = { namespace: bench.namespace, name: "original" };
      expect(await bench.client.find(persistentVolumeClaims, ref)).toBeUndefined();
    });
    await deleteClaim(bench, "clone");
    await expectNoVolumes(bench);
  });

  it("of a snapshot is restored, and the snapshot is protected only meanwhile", async () => {
    await makeClaim(bench, "snapped");
    const volume = await boundVolume(bench, "snapped");
    const snapshot = await takeSnapshot(bench, volume);
    const fault = bench.driver.addFault({ method: "CreateVolume", kind: "fail", code: "UNAVAILABLE" });
    await makeClaim(bench, "restored", {
      spec: { dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "monday" } },
    });
    const finalizers = async () => {
      const found = await bench.client.get(volumeSnapshots, { namespace: bench.namespace, name: "monday" });
      return found.metadata.finalizers ?? [];
    };
    const { snapshotSourceProtection } = provisioningFinalizers;
    await eventually(async () => expect(await finalizers()).toContain(snapshotSourceProtection));
    bench.driver.removeFault(fault.id);
    const restored = await boundVolume(bench, "restored");
    expect(bench.driver.state().volumes).toContainEqual(
      expect.objectContaining({ name: restored.metadata.name, source: { kind: "snapshot", id: snapshot } }),
    );
    await eventually(async () => expect(await finalizers()).not.toContain(snapshotSourceProtection));
    await deleteClaim(bench, "restored");
    await deleteClaim(bench, "snapped");
    await expectNoVolumes(bench);
  });
});

describe("a snapshot", () => {
  it("that was to be restored for a claim that is gone is let go", async () => {
    const { snapshotSourceProtection } = provisioningFinalizers;
    const ref = { namespace: bench.namespace, name: "forgotten" };
    await bench.client.create(volumeSnapshots, {
      metadata: { ...ref, finalizers: [snapshotSourceProtection, "example.com/keep"] },
      spec: { source: { persistentVolumeClaimName: "gone" } },
    });
    await eventually(async () => {
      const { metadata } = await bench.client.get(volumeSnapshots, ref);
      expect(metadata.finalizers).toEqual(["example.com/keep"]);
    });
    const patch = { metadata: { finalizers: [] } };
    await bench.client.patch(volumeSnapshots, ref, { type: "merge", patch });
  });

  it("is restored without protection where the role is an old one", async () => {
    const isOfSnapshots = ({ resources = [] }: PolicyRule) => resources.includes("volumesnapshots");
    const cluster = provisionerRules.cluster.map((each) => (isOfSnapshots(each) ? { ...each, verbs: ["get"] } : each));
    await using old = await startSidecarBench({ rules: [{ ...provisionerRules, cluster }], sidecars: provisioner() });
    await makeClass(old);
    await makeClaim(old, "snapped");
    await takeSnapshot(old, await boundVolume(old, "snapped"));
    await makeClaim(old, "restored", {
      spec: { dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "monday" } },
    });
    await boundVolume(old, "restored");
    await deleteClaim(old, "restored");
    await deleteClaim(old, "snapped");
    await expectNoVolumes(old);
  });
});

describe("a released volume", () => {
  it("is not deleted while it is attached", async () => {
    await makeClaim(bench, "attached");
    const volume = await boundVolume(bench, "attached");
    const name = `${bench.namespace}-attachment`;
    await bench.client.create(volumeAttachments, {
      metadata: { name },
      spec: { attacher: bench.driverName, nodeName: "node-1", source: { persistentVolumeName: volume.metadata.name } },
    });
    await deleteClaim(bench, "attached");
    const text = `persistentvolume ${volume.metadata.name} is still attached to node node-1`;
    await eventually(async () =>
      expect(await bench.eventLines(volume)).toContainEqual(
        expect.stringContaining(`Warning VolumeFailedDelete ${text}. Wait until its VolumeAttachment is gone`),
      ),
    );
    expect(bench.driver.calls("DeleteVolume").map(({ request }) => request)).not.toContainEqual(
      expect.objectContaining({ volume_id: volume.spec?.csi?.volumeHandle }),
    );
    await bench.client.delete(volumeAttachments, { name });
    await expectNoVolumes(bench);
  });

  it("that its owner keeps after all loses the finalizer, and is kept", async () => {
    await makeClaim(bench, "kept");
    const volume = await boundVolume(bench, "kept");
    await setPolicy(volume, "Retain");
    await eventually(async () => {
      const { metadata } = await bench.client.get(persistentVolumes, { name: volume.metadata.name ?? "" });
      expect(metadata.finalizers).not.toContain(provisioningFinalizers.volume);
    });
    await setPolicy(volume, "Delete");
    await eventually(async () => {
      const { metadata } = await bench.client.get(persistentVolumes, { name: volume.metadata.name ?? "" });
      expect(metadata.finalizers).toContain(provisioningFinalizers.volume);
    });
    await deleteClaim(bench, "kept");
    await expectNoVolumes(bench);
  });
});

describe("requests to the API server", () => {
  it.each([
    { durableIntent: true, writes: ["create configmaps", "create persistentvolumes"] },
    { durableIntent: false, writes: ["create persistentvolumes"] },
  ])("are few: %j and two events", async ({ durableIntent, writes }) => {
    await using counted = await startSidecarBench({ rules: [provisionerRules], sidecars: provisioner() });
    await makeClass(counted);
    await counted.stopSidecars();
    const requests: string[] = [];
    await counted.startSidecars((deps, place) =>
      provisioner({ durableIntent })({ ...deps, client: countingClient(deps.client, requests) }, place),
    );
    const claim = await makeClaim(counted, "one");
    const volume = await boundVolume(counted, "one");
    await eventually(async () => expect(await eventWrites(counted, claim.metadata.uid)).toBe(2));
    expect(requests.filter(isWrite)).toEqual(writes);
    requests.length = 0;
    await deleteClaim(counted, "one");
    await expectNoVolumes(counted);
    expect(requests.filter(isWrite)).toEqual(["delete persistentvolumes", "patch persistentvolumes"]);
    expect(await eventWrites(counted, volume.metadata.uid, "default")).toBe(0);
  });

  it("are fewer still for many volumes at once, since intents are written together", async () => {
    await using counted = await startSidecarBench({ rules: [provisionerRules], sidecars: provisioner() });
    await makeClass(counted);
    await counted.stopSidecars();
    const requests: string[] = [];
    await counted.startSidecars((deps, place) =>
      provisioner()({ ...deps, client: countingClient(deps.client, requests) }, place),
    );
    const names = Array.from({ length: 30 }, (_, index) => `many-${index}`);
    await Promise.all(names.map((name) => makeClaim(counted, name)));
    await eventually(async () => {
      const { items } = await counted.client.list(persistentVolumeClaims, { namespace: counted.namespace });
      expect(items.filter(({ status }) => status?.phase === "Bound")).toHaveLength(30);
    });
    await counted.stopSidecars();
    const journalWrites = requests.filter((request) => isWrite(request) && request.endsWith("configmaps"));
    // The last one takes the finished entries away.
    expect(journalWrites.length).toBeLessThanOrEqual(30);
    expect(requests.filter((request) => request === "create persistentvolumes")).toHaveLength(30);
  });
});

describe("secrets of a class", () => {
  it("reach the calls that need them, and the PV names those of later calls", async () => {
    const password = { password: "hunter2" };
    await using guarded = await startSidecarBench({
      rules: [provisionerRules, provisionerSecretRules],
      driver: { secrets: { CreateVolumeSecret: password, DeleteVolumeSecret: password } },
      sidecars: provisioner({ extraCreateMetadata: true }),
    });
    const { client, namespace } = guarded;
    await client.create(secrets, { metadata: { namespace, name: "for-guarded" }, stringData: password });
    const prefix = "csi.storage.k8s.io/";
    await makeClass(guarded, {
      parameters: {
        [`${prefix}provisioner-secret-name`]: "for-${pvc.name}",
        [`${prefix}provisioner-secret-namespace`]: "${pvc.namespace}",
        [`${prefix}node-publish-secret-name`]: "${pvc.annotations['team']}",
        [`${prefix}node-publish-secret-namespace`]: namespace,
        [`${prefix}controller-modify-secret-name`]: "modify",
        [`${prefix}controller-modify-secret-namespace`]: namespace,
      },
    });
    await makeClaim(guarded, "guarded", { annotations: { team: "storage" } });
    const volume = await boundVolume(guarded, "guarded");
    expect(volume.spec?.csi).toMatchObject({ nodePublishSecretRef: { name: "storage", namespace } });
    expect(volume.spec?.csi?.controllerPublishSecretRef).toBeUndefined();
    expect(volume.metadata.annotations).toMatchObject({
      [provisioningAnnotations.deletionSecretName]: "for-guarded",
      [provisioningAnnotations.deletionSecretNamespace]: namespace,
      [provisioningAnnotations.modifySecretName]: "modify",
    });
    expect(guarded.driver.calls("CreateVolume")[0]?.request).toMatchObject({
      parameters: {
        [`${prefix}pvc/name`]: "guarded",
        [`${prefix}pvc/namespace`]: namespace,
        [`${prefix}pv/name`]: volume.metadata.name,
      },
    });
    await deleteClaim(guarded, "guarded");
    await expectNoVolumes(guarded);
  });

  it("that are missing are said so, and the claim gets its volume once they are there", async () => {
    await using guarded = await startSidecarBench({
      rules: [provisionerRules, provisionerSecretRules],
      sidecars: provisioner(),
    });
    const { client, namespace } = guarded;
    await makeClass(guarded, {
      parameters: {
        "csi.storage.k8s.io/secret-name": "later",
        "csi.storage.k8s.io/secret-namespace": namespace,
      },
    });
    const claim = await makeClaim(guarded, "waiting");
    await eventually(async () =>
      expect(await guarded.eventLines(claim)).toContainEqual(
        expect.stringMatching(/^Warning .*secrets "later" not found/),
      ),
    );
    await client.create(secrets, { metadata: { namespace, name: "later" } });
    await boundVolume(guarded, "waiting");
    // A Secret that is gone before its volume does not keep the volume.
    await client.delete(secrets, { namespace, name: "later" });
    await deleteClaim(guarded, "waiting");
    await expectNothingLeaked(guarded);
    await expectNoVolumes(guarded);
  });
});

describe("a claim whose node has no room", () => {
  it("is given back to the scheduler, and gets its volume where the next node is", async () => {
    await using placed = await startSidecarBench({
      rules: [provisionerRules, topologyRules],
      driver: { topology: { "example.com/zone": "a" } },
      sidecars: provisioner(),
    });
    await using places = new DriverNodes(placed);
    for (const zone of ["a", "b"])
      await places.add(zone, { labels: { "example.com/zone": zone }, keys: ["example.com/zone"] });
    await makeClass(placed, { volumeBindingMode: "WaitForFirstConsumer" });
    const { selectedNode } = provisioningAnnotations;
    const choose = (node: string) => {
      const patch = { metadata: { annotations: { [selectedNode]: places.nameOf(node) } } };
      const ref = { namespace: placed.namespace, name: "moving" };
      return placed.client.patch(persistentVolumeClaims, ref, { type: "merge", patch });
    };
    placed.driver.addFault({
      method: "CreateVolume",
      kind: "fail",
      code: "RESOURCE_EXHAUSTED",
      message: "full",
      times: 1,
    });
    const claim = await makeClaim(placed, "moving");
    await choose("a");
    await eventually(async () => {
      const { metadata } = await readClaim(placed, "moving");
      expect(placed.driver.calls("CreateVolume")).toHaveLength(1);
      expect(metadata.annotations?.[selectedNode]).toBeUndefined();
    });
    await eventually(async () =>
      expect(await placed.eventLines(claim)).toContainEqual(
        expect.stringMatching(
          /^Warning ProvisioningFailed failed to provision volume with StorageClass "\S+": rpc error: code = ResourceExhausted desc = full\. The scheduler/,
        ),
      ),
    );
    await choose("b");
    const volume = await boundVolume(placed, "moving");
    expect(JSON.stringify(volume.spec?.nodeAffinity)).toContain(
      '{"key":"example.com/zone","operator":"In","values":["b"]}',
    );
    await deleteClaim(placed, "moving");
    await expectNoVolumes(placed);
  });
});

async function makeReadyNode(): Promise<string> {
  const name = `${bench.namespace}-node`;
  await bench.client.create(nodes, { metadata: { name, labels: { "kubernetes.io/hostname": name } } });
  const status = {
    allocatable: { cpu: "4", memory: "8Gi", pods: "10" },
    capacity: { cpu: "4", memory: "8Gi", pods: "10" },
    conditions: [
      { type: "Ready", status: "True", reason: "Test", message: "", lastHeartbeatTime: new Date().toISOString() },
    ],
  };
  await bench.client.patch(nodes, { name }, { type: "merge", patch: { status } }, { subresource: "status" });
  return name;
}

async function setPolicy({ metadata }: PersistentVolume, policy: "Delete" | "Retain"): Promise<void> {
  const patch = { spec: { persistentVolumeReclaimPolicy: policy } };
  await bench.client.patch(persistentVolumes, { name: metadata.name ?? "" }, { type: "merge", patch });
}

async function phaseOf({ metadata }: PersistentVolume): Promise<string | undefined> {
  return (await bench.client.get(persistentVolumes, { name: metadata.name ?? "" })).status?.phase;
}

/** The objects as the snapshot controller leaves them, of a snapshot that the driver has taken. */
async function takeSnapshot(
  { client, namespace, driverName, deps }: SidecarBench,
  volume: PersistentVolume,
): Promise<string> {
  const { snapshot } = await deps.csi.controller.createSnapshot({
    name: "monday",
    sourceVolumeId: volume.spec?.csi?.volumeHandle,
  });
  const snapshotHandle = snapshot?.snapshotId ?? "";
  const contentName = `${namespace}-content`;
  const made: VolumeSnapshot = await client.create(volumeSnapshots, {
    metadata: { namespace, name: "monday" },
    spec: { source: { volumeSnapshotContentName: contentName } },
  });
  await client.create(volumeSnapshotContents, {
    metadata: { name: contentName },
    spec: {
      deletionPolicy: "Retain",
      driver: driverName,
      source: { snapshotHandle },
      sourceVolumeMode: "Filesystem",
      volumeSnapshotRef: { namespace, name: "monday", uid: made.metadata.uid },
    },
  });
  const statusOf = (status: object) => ({ type: "merge", patch: { status } }) as const;
  const asStatus = { subresource: "status" };
  const ref = { namespace, name: "monday" };
  await client.patch(
    volumeSnapshotContents,
    { name: contentName },
    statusOf({ snapshotHandle, readyToUse: true, restoreSize: Number(GIB) }),
    asStatus,
  );
  const status = { boundVolumeSnapshotContentName: contentName, readyToUse: true, restoreSize: "1Gi" };
  await client.patch(volumeSnapshots, ref, statusOf(status), asStatus);
  return snapshotHandle;
}

function isWrite(request: string): boolean {
  return /^(?:create|update|patch|apply|delete) /.test(request);
}

/** Each is one create, and one patch more for each time that it was repeated. */
async function eventWrites({ client }: SidecarBench, uid = "", namespace?: string): Promise<number> {
  const { items } = await client.list(events, { namespace, fieldSelector: `involvedObject.uid=${uid}` });
  return items
    .filter(({ source }) => source?.component?.endsWith("_test"))
    .reduce((sum, { count = 1 }) => sum + count, 0);
}
