import {
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  provisioningAnnotations,
  Quantity,
  volumeAttachments,
  volumeGroupSnapshots,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import { expect } from "vitest";
import { type Cluster, eventually } from "../kubelet/cluster.ts";
import { ephemeral, pod } from "../kubelet/pods.ts";
import { awaitGrown, provision, type VolumeWish } from "../kubelet/volumes.ts";
import { type ClaimWish, claimSpec, createClaim, fromClaim, fromSnapshot, takeSnapshot } from "./storage-objects.ts";
import type { VolumeKind, VolumeUse } from "./volume-kind.ts";

/** How a Pod gets a volume, and what its objects are called after. */
const ways = {
  "a claim": "claim",
  "an existing volume": "existing",
  "a generic ephemeral volume": "ephemeral",
} as const;

export type Way = keyof typeof ways;

export const allWays = Object.keys(ways) as Way[];

export interface LifeWish {
  readonly way: Way;
  readonly kind: VolumeKind;
  /** Of an existing volume: what its PersistentVolume and its making need. */
  readonly existing?: Pick<VolumeWish, "secrets" | "createSecrets" | "annotations">;
}

/** A volume in use, and what is needed to end that. */
interface Life extends VolumeUse {
  readonly claim: string;
  readonly volumeName: string;
  readonly kind: VolumeKind;
}

/** Everything that can happen to a volume, in a Pod of its own from the first byte to the last. */
export async function liveThrough(cluster: Cluster, { way, kind, existing }: LifeWish): Promise<void> {
  const name = `${ways[way]}-${kind.name}`;
  const life = await begin(cluster, name, { way, kind, existing });
  await expectAttached(cluster, life);
  await kind.write(life.pod, "before");
  const snapshot = `${name}-snapshot`;
  await takeSnapshot(cluster, { name: snapshot, claim: life.claim, className: kind.driver.name });
  await kind.write(life.pod, "after");
  const copies = await Promise.all([
    copy(cluster, kind, { name: `${name}-restored`, dataSource: fromSnapshot(snapshot), text: "before" }),
    copy(cluster, kind, { name: `${name}-clone`, dataSource: fromClaim(life.claim), text: "after" }),
  ]);
  // A clone may not be smaller than what it is a clone of.
  await grow(cluster, life);
  await modify(cluster, life);
  await kind.expectText(life.pod, "after");
  await Promise.all([life, ...copies].map((each) => end(cluster, each)));
  await removeSnapshot(cluster, snapshot);
}

async function begin(cluster: Cluster, name: string, { way, kind, existing }: LifeWish): Promise<Life> {
  if (way === "a claim") await createClaim(cluster, name, kind);
  if (way === "an existing volume") await provision(cluster, kind.driver, existingVolume(name, kind, existing));
  const volume = kind.podVolume(name);
  const isEphemeral = way === "a generic ephemeral volume";
  await cluster.start(pod(name, [isEphemeral ? ephemeral(volume, claimSpec(kind)) : volume]));
  return lifeOf(cluster, kind, { pod: name, claim: isEphemeral ? `${name}-${name}` : name });
}

/** One that was made by somebody else, and is the provisioner's to delete nevertheless. */
function existingVolume(name: string, kind: VolumeKind, existing: LifeWish["existing"]): VolumeWish {
  const { driver, fsType, volumeMode, sizeBytes } = kind;
  const annotations = { [provisioningAnnotations.provisionedBy]: driver.name, ...existing?.annotations };
  return { name, fsType, volumeMode, sizeBytes, reclaimPolicy: "Delete", ...existing, annotations };
}

async function lifeOf(
  { client, namespace }: Cluster,
  kind: VolumeKind,
  { pod: podName, claim }: { pod: string; claim: string },
): Promise<Life> {
  const { spec } = await client.get(persistentVolumeClaims, { namespace, name: claim });
  const volumeName = spec?.volumeName ?? "";
  const volume = await client.get(persistentVolumes, { name: volumeName });
  return { pod: podName, claim, volumeName, kind, volumeId: volume.spec?.csi?.volumeHandle ?? "" };
}

/** A volume that is another's from the start, and is made with the attributes that the other gets later. */
async function copy(
  cluster: Cluster,
  kind: VolumeKind,
  { name, dataSource, text }: { name: string; dataSource: ClaimWish["dataSource"]; text: string },
): Promise<Life> {
  await createClaim(cluster, name, { ...kind, dataSource, attributesClassName: kind.driver.name });
  await cluster.start(pod(name, [kind.podVolume(name)]));
  const life = await lifeOf(cluster, kind, { pod: name, claim: name });
  await expectAttached(cluster, life);
  await kind.expectText(name, text);
  await kind.expectModified(life.volumeId);
  return life;
}

async function expectAttached({ client, nodeName }: Cluster, { volumeName }: Life): Promise<void> {
  const { items } = await client.list(volumeAttachments);
  expect(items.filter(({ spec }) => spec.source.persistentVolumeName === volumeName)).toEqual([
    expect.objectContaining({
      spec: expect.objectContaining({ nodeName }),
      status: expect.objectContaining({ attached: true }),
    }),
  ]);
}

async function grow(cluster: Cluster, life: Life): Promise<void> {
  const { client, namespace } = cluster;
  const { biggerBytes } = life.kind;
  const patch = { spec: { resources: { requests: { storage: `${biggerBytes}` } } } };
  await client.patch(persistentVolumeClaims, { namespace, name: life.claim }, { type: "merge", patch });
  await awaitGrown(cluster, life.claim, biggerBytes);
  await life.kind.expectBytes(life, biggerBytes);
  const { spec } = await client.get(persistentVolumes, { name: life.volumeName });
  expect(Quantity.parse(spec?.capacity?.storage ?? "0").toBytes()).toBe(biggerBytes);
}

async function modify({ client, namespace }: Cluster, life: Life): Promise<void> {
  const volumeAttributesClassName = life.kind.driver.name;
  const ref = { namespace, name: life.claim };
  await client.patch(persistentVolumeClaims, ref, { type: "merge", patch: { spec: { volumeAttributesClassName } } });
  await eventually(async () => {
    const { status } = await client.get(persistentVolumeClaims, ref);
    expect(status).toMatchObject({ currentVolumeAttributesClassName: volumeAttributesClassName });
    expect(status?.modifyVolumeStatus).toBeUndefined();
  });
  await life.kind.expectModified(life.volumeId);
}

/** Takes the Pod away, and then the claim where it does not go with the Pod; the volume goes with it. */
async function end(cluster: Cluster, { pod: podName, claim, volumeName, volumeId, kind }: Life): Promise<void> {
  const { client, namespace } = cluster;
  const { spec } = await client.get(pods, { namespace, name: podName });
  await cluster.remove(podName);
  if (spec?.volumes?.some(({ ephemeral: own }) => own !== undefined) !== true)
    await client.delete(persistentVolumeClaims, { namespace, name: claim });
  await eventually(async () => {
    const { items } = await client.list(volumeAttachments);
    expect(items.map(({ spec: { source } }) => source.persistentVolumeName)).not.toContain(volumeName);
    expect(await client.find(persistentVolumeClaims, { namespace, name: claim })).toBeUndefined();
    expect(await client.find(persistentVolumes, { name: volumeName })).toBeUndefined();
  });
  const { entries } = await kind.driver.csi.controller.listVolumes({});
  expect(entries.map(({ volume }) => volume?.volumeId)).not.toContain(volumeId);
}

async function removeSnapshot({ client, namespace }: Cluster, name: string): Promise<void> {
  const ref = { namespace, name };
  const { status } = await client.get(volumeSnapshots, ref);
  const content = { name: status?.boundVolumeSnapshotContentName ?? "" };
  expect(await client.find(volumeSnapshotContents, content)).toBeDefined();
  await client.delete(volumeSnapshots, ref);
  await eventually(async () => {
    expect(await client.find(volumeSnapshots, ref)).toBeUndefined();
    expect(await client.find(volumeSnapshotContents, content)).toBeUndefined();
  });
}

/** Two volumes of a kind, whose snapshots are taken at one moment and go together. */
export async function snapshotTogether(cluster: Cluster, kind: VolumeKind): Promise<void> {
  const { client, namespace } = cluster;
  const labels = { "grouped-by": kind.name };
  const members = ["a", "b"].map((letter) => `group-${kind.name}-${letter}`);
  for (const name of members) await createClaim(cluster, name, { ...kind, labels });
  await eventually(async () => {
    const { items } = await client.list(persistentVolumeClaims, {
      namespace,
      labelSelector: `grouped-by=${kind.name}`,
    });
    expect(items.map(({ status }) => status?.phase)).toEqual(["Bound", "Bound"]);
  });
  const ref = { namespace, name: `group-${kind.name}` };
  const spec = { source: { selector: { matchLabels: labels } }, volumeGroupSnapshotClassName: kind.driver.name };
  await client.create(volumeGroupSnapshots, { metadata: ref, spec });
  await eventually(async () => {
    expect((await client.get(volumeGroupSnapshots, ref)).status).toMatchObject({ readyToUse: true });
    expect(await snapshotsOf(cluster, members)).toEqual([true, true]);
  });
  await client.delete(volumeGroupSnapshots, ref);
  for (const name of members) await client.delete(persistentVolumeClaims, { namespace, name });
  await eventually(async () => {
    expect(await client.find(volumeGroupSnapshots, ref)).toBeUndefined();
    expect(await snapshotsOf(cluster, members)).toEqual([]);
  });
}

/** Of each snapshot of the claims, whether it is ready. */
async function snapshotsOf(
  { client, namespace }: Cluster,
  claims: readonly string[],
): Promise<(boolean | undefined)[]> {
  const { items } = await client.list(volumeSnapshots, { namespace });
  const taken = items.filter(({ spec }) => claims.includes(spec.source.persistentVolumeClaimName ?? ""));
  return taken.map(({ status }) => status?.readyToUse);
}
