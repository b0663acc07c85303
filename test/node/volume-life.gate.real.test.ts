import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  configMaps,
  csiStorageCapacities,
  persistentVolumeClaims,
  persistentVolumes,
  provisioningAnnotations,
  secrets,
  snapshotParameters,
  storageClasses,
  systemClock,
  volumeAttachments,
  volumeGroupSnapshots,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { ensureSnapshotCrds } from "@stowage/sidecars";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { permissionText } from "../../packages/sidecars/src/rbac/index.ts";
import { eventually } from "./kubelet/cluster.ts";
import { DriverProcess } from "./kubelet/driver-process.ts";
import { gripOf, type MockGrip } from "./kubelet/mock-control.ts";
import { inline, pod } from "./kubelet/pods.ts";
import { detachLoopDevices, filesBelow, loopDevices, volumeMounts } from "./kubelet/traces.ts";
import { awaitGrown, createStorageClass, secretRef } from "./kubelet/volumes.ts";
import { type AuditedCluster, requestText, startAuditedLab } from "./volume-life/audited-cluster.ts";
import { SidecarProcess } from "./volume-life/sidecar-process.ts";
import { createClaim, introduce, secretParameters, takeSnapshot } from "./volume-life/storage-objects.ts";
import {
  guardedAttributes,
  guardedKind,
  localAttributes,
  rawKind,
  type VolumeKind,
  xfsKind,
} from "./volume-life/volume-kind.ts";
import { allWays, liveThrough, snapshotTogether } from "./volume-life/volume-life.ts";

const SET_UP_LIMIT_MS = 600_000;
const LOCAL = "local.csi.stowage.dev";
const GUARDED = "guarded.csi.stowage.dev";

/** The uses of Secrets as classes name them, with the calls that must carry each. The Secrets are called as the uses are. */
const guardedCalls = {
  provisioner: ["CreateVolume", "DeleteVolume"],
  "controller-publish": ["ControllerPublishVolume", "ControllerUnpublishVolume"],
  "node-stage": ["NodeStageVolume"],
  "node-publish": ["NodePublishVolume"],
  "controller-expand": ["ControllerExpandVolume"],
  "node-expand": ["NodeExpandVolume"],
  "controller-modify": ["ControllerModifyVolume"],
  snapshotter: ["CreateSnapshot", "DeleteSnapshot"],
} as const;
const classUses = Object.keys(guardedCalls).filter((use) => use !== "snapshotter");
/** In the mock, snapshots of groups want the secrets of snapshots. */
const groupSecret = {
  [snapshotParameters.groupSnapshotterSecretName]: "snapshotter",
  [snapshotParameters.groupSnapshotterSecretNamespace]: "default",
};
const tokenOf = (use: string) => `the token of ${use}`;

/** Rights that this test does not make anybody use, or not each time, and when they are used. */
const rarelyUsed: Readonly<Record<string, string>> = {
  "get persistentvolumes": "by a provisioner that was killed before it knew whether its volume was saved",
  "get volumeattachments.storage.k8s.io": "by an attacher that tries again, to find out whether it is still there",
  "get pods": "by a provisioner in a Pod, for the owner of its capacity objects",
  "get replicasets.apps": "for the owner of that owner",
  "patch events": "when an event happens again soon",
  "get volumegroupsnapshots.groupsnapshot.storage.k8s.io": "when the content of a group that has gone is found",
  "watch leases.coordination.k8s.io": "by one that waits for another to end",
};

/** Where the whole life of a volume is gone through. */
const places = [{ place: "a real kubelet", start: startAuditedLab }];

// Volumes are mounted.
describe.skipIf(process.getuid?.() !== 0).each(places)("on $place, beside the sidecars (needs root),", ({ start }) => {
  let folder: string;
  let cluster: AuditedCluster;
  let local: DriverProcess;
  let guarded: DriverProcess;
  let grip: MockGrip;
  let kinds: { xfs: VolumeKind; raw: VolumeKind; guarded: VolumeKind };
  let sidecars: SidecarProcess[] = [];

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "volume-life-")));
    cluster = await start(folder);
    await ensureSnapshotCrds({ client: cluster.client, clock: systemClock }, { timeoutMs: 30_000 });
    writeFileSync(join(folder, "secrets.json"), JSON.stringify(requiredSecrets()));
    local = new DriverProcess(cluster, { kind: "local", name: LOCAL, folder, attach: "on" });
    const guardedArguments = ["--secrets-file", join(folder, "secrets.json")];
    guarded = new DriverProcess(cluster, {
      kind: "mock",
      name: GUARDED,
      folder,
      attach: "on",
      arguments: guardedArguments,
    });
    await Promise.all([local.start(), guarded.start(), introduceDrivers()]);
    grip = gripOf(guarded);
    kinds = {
      xfs: xfsKind(cluster, local, "xfs"),
      raw: rawKind(cluster, local, "raw"),
      guarded: guardedKind(guarded, grip, "guarded"),
    };
    sidecars = [allInOne(), ...onePerProcess()];
    await Promise.all(sidecars.map((each) => each.start()));
  }, SET_UP_LIMIT_MS);

  afterAll(async () => {
    await Promise.all(sidecars.map((each) => each.stop()));
    for (const driver of [local, guarded]) {
      driver?.csi.close();
      await driver?.stop();
    }
    await cluster?.[Symbol.asyncDispose]();
    await detachLoopDevices(folder);
    rmSync(folder, { recursive: true, force: true });
  }, SET_UP_LIMIT_MS);

  async function introduceDrivers(): Promise<void> {
    const { client, namespace } = cluster;
    await createStorageClass(cluster);
    await introduce(client, {
      driver: LOCAL,
      hasCapacity: true,
      classes: {
        xfs: { isImmediate: false, parameters: { "csi.storage.k8s.io/fstype": "xfs" } },
        raw: { isImmediate: true, parameters: {} },
      },
      attributes: localAttributes,
    });
    await introduce(client, {
      driver: GUARDED,
      hasCapacity: false,
      classes: { guarded: { isImmediate: true, parameters: secretParameters(classUses, namespace) } },
      snapshotParameters: secretParameters(["snapshotter"], namespace),
      groupParameters: groupSecret,
      attributes: guardedAttributes,
    });
    for (const use of Object.keys(guardedCalls))
      await client.create(secrets, { metadata: { namespace, name: use }, stringData: { token: tokenOf(use) } });
  }

  function requiredSecrets(): object {
    const entries = Object.entries(guardedCalls).flatMap(([use, methods]) =>
      methods.map((method) => [`${method}Secret`, { token: tokenOf(use) }]),
    );
    return Object.fromEntries(entries);
  }

  function allInOne(): SidecarProcess {
    return new SidecarProcess(cluster, {
      role: "sidecars",
      parts: ["base", "leader-election", "topology", "capacity"],
      folder,
      words: [
        "sidecars",
        "--controllers=provisioner,attacher,resizer,snapshotter,snapshot-controller",
        `--csi-address=${local.socket}`,
        "--provisioner-enable-capacity",
        "--provisioner-capacity-ownerref-level=-1",
        "--provisioner-capacity-poll-interval=5s",
      ],
    });
  }

  function onePerProcess(): SidecarProcess[] {
    const roles = ["provisioner", "attacher", "resizer", "snapshotter"] as const;
    return roles.map(
      (role) =>
        new SidecarProcess(cluster, {
          role,
          parts: ["base", "leader-election", "secrets"],
          folder,
          words: ["sidecar", role, `--csi-address=${guarded.socket}`],
        }),
    );
  }

  describe.concurrent("a volume of the local driver", () => {
    it.each(allWays.flatMap((way) => (["xfs", "raw"] as const).map((kind) => ({ way, kind }))))(
      "of $way ($kind) is attached, kept in a snapshot, restored, cloned, expanded, modified, detached and deleted",
      async ({ way, kind }) => liveThrough(cluster, { way, kind: kinds[kind] }),
    );

    it("that a Pod describes itself comes and goes with it, and is never attached", async () => {
      await cluster.start(pod("inline", [inline({ driver: LOCAL, volumeAttributes: { size: "32Mi" } })]));
      await cluster.shell("inline", "echo scratch > /data/file");
      const { items } = await cluster.client.list(volumeAttachments);
      expect(items.filter(({ spec }) => spec.source.inlineVolumeSpec !== undefined)).toEqual([]);
      await cluster.remove("inline");
      expect(filesBelow(local.stateDir).filter((file) => /csi-[0-9a-f]{64}/.test(file))).toEqual([]);
    });

    it("is in a snapshot of a group together with another, until that is deleted", async () => {
      await snapshotTogether(cluster, kinds.raw);
    });
  });

  describe.concurrent("a volume of a driver that wants secrets", () => {
    it.each(allWays)(
      "of %s has a whole life, in which every call carries the secret that is named for it",
      async (way) => {
        await liveThrough(cluster, { way, kind: kinds.guarded, existing: existingGuarded() });
      },
    );

    /** What the provisioner would have written into the PersistentVolume. */
    function existingGuarded() {
      const annotations = {
        [provisioningAnnotations.deletionSecretName]: "provisioner",
        [provisioningAnnotations.deletionSecretNamespace]: cluster.namespace,
        [provisioningAnnotations.modifySecretName]: "controller-modify",
        [provisioningAnnotations.modifySecretNamespace]: cluster.namespace,
      };
      const references = {
        controllerPublishSecretRef: secretRef("controller-publish"),
        nodeStageSecretRef: secretRef("node-stage"),
        nodePublishSecretRef: secretRef("node-publish"),
        controllerExpandSecretRef: secretRef("controller-expand"),
        nodeExpandSecretRef: secretRef("node-expand"),
      };
      return { annotations, secrets: references, createSecrets: { token: tokenOf("provisioner") } };
    }

    it("that a Pod describes itself gets the secret that the Pod names", async () => {
      const nodePublishSecretRef = { name: "node-publish" };
      await cluster.start(pod("guarded-inline", [inline({ driver: GUARDED, nodePublishSecretRef })]));
      await cluster.remove("guarded-inline");
    });

    it("is in a snapshot of a group together with another, until that is deleted", async () => {
      await snapshotTogether(cluster, kinds.guarded);
    });

    it("whose driver cannot take a snapshot at first says so, and is in a snapshot later", async () => {
      const { client, namespace } = cluster;
      const name = "second-try";
      await createClaim(cluster, name, kinds.guarded);
      const volume = await eventually(async () => {
        const { status, spec } = await client.get(persistentVolumeClaims, { namespace, name });
        expect(status?.phase).toBe("Bound");
        return spec?.volumeName ?? "";
      });
      const failure = { kind: "fail", code: "INTERNAL", message: "the array is rebooting" } as const;
      await grip.addFault({ ...failure, method: "CreateSnapshot", volume, times: 2 });
      await takeSnapshot(cluster, { name, claim: name, className: GUARDED });
      const { status } = await client.get(volumeSnapshots, { namespace, name });
      const complaints = await cluster.complaints(status?.boundVolumeSnapshotContentName ?? "");
      expect(complaints).toEqual([expect.stringContaining("the array is rebooting")]);
      await client.delete(volumeSnapshots, { namespace, name });
      await client.delete(persistentVolumeClaims, { namespace, name });
    });

    it("that cannot grow while it is in use grows when no Pod uses it any more", async () => {
      const { client, namespace } = cluster;
      const kind = kinds.guarded;
      await createClaim(cluster, "patient", kind);
      await cluster.start(pod("patient", [kind.podVolume("patient")]));
      const { spec } = await client.get(persistentVolumeClaims, { namespace, name: "patient" });
      const volume = spec?.volumeName ?? "";
      const refusal = { kind: "fail", code: "FAILED_PRECONDITION", message: "the volume is in use" } as const;
      await grip.addFault({ ...refusal, method: "ControllerExpandVolume", volume, times: 1 });
      const patch = { spec: { resources: { requests: { storage: `${kind.biggerBytes}` } } } };
      await client.patch(persistentVolumeClaims, { namespace, name: "patient" }, { type: "merge", patch });
      await eventually(async () =>
        expect((await cluster.complaints("patient")).join("\n")).toContain("the volume is in use"),
      );
      await cluster.remove("patient");
      await eventually(async () => {
        const { status } = await client.get(persistentVolumeClaims, { namespace, name: "patient" });
        expect(status?.allocatedResourceStatuses).toEqual({ storage: "NodeResizePending" });
      });
      await cluster.start(pod("patient", [kind.podVolume("patient")]));
      await awaitGrown(cluster, "patient", kind.biggerBytes);
      await cluster.remove("patient");
      await client.delete(persistentVolumeClaims, { namespace, name: "patient" });
    });
  });

  describe("after all of that", () => {
    it("nothing is left of volumes and snapshots, in the cluster, on the node and in the storage", async () => {
      const { client, kubeletFolder } = cluster;
      await eventually(async () => {
        const kindsLeft = [persistentVolumes, persistentVolumeClaims, volumeAttachments] as const;
        const snapshotsLeft = [volumeSnapshots, volumeSnapshotContents, volumeGroupSnapshots] as const;
        for (const type of [...kindsLeft, ...snapshotsLeft])
          expect((await client.list<never>(type as never)).items, type.plural).toEqual([]);
        expect(volumeMounts(kubeletFolder)).toEqual([]);
        expect(await loopDevices([`${kubeletFolder}/`, `${folder}/`])).toEqual([]);
        expect(filesBelow(local.stateDir).filter((file) => /(vol|snap|csi)-/.test(file))).toEqual([]);
        expect(await grip.state()).toMatchObject({ volumes: [], snapshots: [], mounts: [] });
      });
    });

    it("no call to the guarded driver was without its secret, and no token is in a log", async () => {
      for (const method of Object.values(guardedCalls).flat()) {
        const codes = new Set((await grip.calls(method)).map(({ code }) => code));
        expect(codes, method).toContain("OK");
        expect(codes, method).not.toContain("UNAUTHENTICATED");
      }
      for (const each of [guarded, ...sidecars]) expect(each.log).not.toContain("the token of");
    });

    it("the room that a class has is forgotten with the class", async () => {
      const { client } = cluster;
      const classesWithRoom = async () => {
        const { items } = await client.list(csiStorageCapacities, { namespace: "kube-system" });
        return items.map(({ storageClassName }) => storageClassName);
      };
      expect(await classesWithRoom()).toEqual(["xfs"]);
      await client.delete(storageClasses, { name: "xfs" });
      await eventually(async () => expect(await classesWithRoom()).toEqual([]));
    });

    it("the sidecars stop in order, and their journal of intents is empty", async () => {
      expect(await Promise.all(sidecars.map((each) => each.stop()))).toEqual(sidecars.map(() => 0));
      const { items } = await cluster.client.list(configMaps, { namespace: "kube-system" });
      const journals = items.filter(({ metadata }) =>
        metadata.annotations?.["kubernetes.io/description"]?.includes("under way"),
      );
      expect(journals.map(({ data = {} }) => data)).toEqual([{}, {}]);
    });

    it("the API server has refused none of the sidecars' requests", () => {
      const refused = cluster.requests("stowage-").filter(({ isAllowed }) => !isAllowed);
      expect([...new Set(refused.map(requestText))]).toEqual([]);
    });

    it("every right of the sidecars was used, but for those that only other clusters and other days need", () => {
      const requests = cluster.requests("stowage-");
      const anybodys = new Set(requests.map(permissionText));
      const unused = sidecars.flatMap(({ account, permissions }) => {
        const own = new Set(requests.filter(({ user }) => user.endsWith(`:${account}`)).map(permissionText));
        // All in one have the rights of each, some of which only the other driver makes one use.
        const used = account === "stowage-sidecars" ? anybodys : own;
        return permissions.map(permissionText).filter((right) => !used.has(right));
      });
      // Copies are streamed; only servers without that are asked for a list.
      expect(unused.filter((right) => !right.startsWith("list ") && rarelyUsed[right] === undefined)).toEqual([]);
    });
  });
});
