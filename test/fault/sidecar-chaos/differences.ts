import type { KubeClient } from "@stowage/kube";
import {
  type ConfigMap,
  configMaps,
  type KubernetesObject,
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  provisioningFinalizers,
  Quantity,
  snapshotFinalizers,
  type VolumeAttachment,
  type VolumeSnapshot,
  type VolumeSnapshotContent,
  volumeAttachments,
  volumeSnapshotContents,
  volumeSnapshots,
} from "@stowage/machinery";
import type { MockControlClient, StoredState } from "./mock-control.ts";
import type { Wishes } from "./wishes.ts";

/** Everything that there is: in the cluster, and in the storage. */
export interface World {
  readonly claims: readonly PersistentVolumeClaim[];
  readonly volumes: readonly PersistentVolume[];
  readonly attachments: readonly VolumeAttachment[];
  readonly snapshots: readonly VolumeSnapshot[];
  readonly contents: readonly VolumeSnapshotContent[];
  readonly configMaps: readonly ConfigMap[];
  readonly stored: StoredState;
}

export interface WorldDeps {
  readonly client: KubeClient;
  readonly namespace: string;
  readonly driverName: string;
  readonly control: MockControlClient;
}

export async function readWorld({ client, namespace, driverName, control }: WorldDeps): Promise<World> {
  const [claims, volumes, attachments, snapshots, contents, maps, stored] = await Promise.all([
    client.listAll(persistentVolumeClaims, { namespace }),
    client.listAll(persistentVolumes),
    client.listAll(volumeAttachments),
    client.listAll(volumeSnapshots, { namespace }),
    client.listAll(volumeSnapshotContents),
    client.listAll(configMaps, { namespace }),
    control.state(),
  ]);
  return {
    claims: claims.items,
    volumes: volumes.items.filter(({ spec }) => spec?.csi?.driver === driverName),
    attachments: attachments.items.filter(({ spec }) => spec.attacher === driverName),
    snapshots: snapshots.items,
    contents: contents.items.filter(({ spec }) => spec.driver === driverName),
    configMaps: maps.items.filter(({ metadata }) => metadata.name?.includes("provisioning-intents")),
    stored,
  };
}

/** Everything in which the world is not as it is wished for, or does not agree with itself, in words. */
export function differences(wishes: Wishes, world: World): string[] {
  return [
    ...claimDifferences(wishes, world),
    ...volumeDifferences(world),
    ...sizeDifferences(wishes, world),
    ...snapshotDifferences(wishes, world),
    ...attachmentDifferences(wishes, world),
    ...leftovers(world),
  ];
}

function claimDifferences(wishes: Wishes, { claims }: World): string[] {
  const phases = new Map(claims.map(({ metadata, status }) => [metadata.name ?? "", status?.phase]));
  return [
    ...compare("claim", { wanted: wishes.claims.keys(), found: phases.keys() }),
    ...[...phases]
      .filter(([, phase]) => phase !== "Bound")
      .map(([name, phase]) => `claim ${name} is ${phase}, and is made from ${sourceOf(wishes, name)}`),
  ];
}

function sourceOf(wishes: Wishes, claim: string): string {
  const { source } = wishes.claims.get(claim) ?? {};
  return source === undefined ? "nothing" : `${source.kind} ${source.name}`;
}

/** The driver's volumes are exactly those that have a PV, and each PV is of a claim that there is. */
function volumeDifferences({ claims, volumes, stored }: World): string[] {
  const handles = volumes.map(({ spec }) => spec?.csi?.volumeHandle ?? "");
  const claimed = claims.flatMap(({ spec }) => spec?.volumeName || []);
  return [
    ...compare("volume in the storage", { wanted: handles, found: stored.volumes.map(({ id }) => id) }),
    ...compare("PV", { wanted: claimed, found: volumes.map(({ metadata }) => metadata.name ?? "") }),
  ];
}

function sizeDifferences(wishes: Wishes, { claims, volumes, stored }: World): string[] {
  const storedBytes = new Map(stored.volumes.map(({ id, capacityBytes }) => [id, BigInt(capacityBytes)]));
  const volumeByName = new Map(volumes.map((volume) => [volume.metadata.name ?? "", volume]));
  return claims.flatMap(({ metadata, spec, status }) => {
    const wish = wishes.claims.get(metadata.name ?? "");
    const volume = volumeByName.get(spec?.volumeName ?? "");
    if (wish === undefined || volume === undefined) return [];
    const wantedBytes = BigInt(wish.sizeGib) * 1024n ** 3n;
    const sizes: Record<string, bigint | undefined> = {
      "the driver's volume": storedBytes.get(volume.spec?.csi?.volumeHandle ?? ""),
      "its PV": bytesOf(volume.spec?.capacity?.storage),
      // A file system grows on a node, and there is none here.
      "the claim": wish.volumeMode === "Block" ? bytesOf(status?.capacity?.storage) : wantedBytes,
    };
    return Object.entries(sizes)
      .filter(([, bytes]) => bytes !== wantedBytes)
      .map(([what, bytes]) => `claim ${metadata.name} is to have ${wantedBytes} bytes, ${what} has ${bytes}`);
  });
}

function snapshotDifferences(wishes: Wishes, { snapshots, contents, stored }: World): string[] {
  const handles = contents.flatMap(({ status }) => status?.snapshotHandle ?? []);
  const bound = snapshots.flatMap(({ status }) => status?.boundVolumeSnapshotContentName ?? []);
  return [
    ...compare("snapshot", { wanted: wishes.snapshots.keys(), found: snapshots.map(nameOf) }),
    ...compare("snapshot in the storage", { wanted: handles, found: stored.snapshots.map(({ id }) => id) }),
    ...compare("snapshot content", { wanted: bound, found: contents.map(nameOf) }),
    ...snapshots
      .filter(({ metadata, status }) => status?.readyToUse !== true && isDue(wishes, metadata.name ?? ""))
      .map(({ metadata, status }) => `snapshot ${metadata.name} is not ready: ${status?.error?.message}`),
  ];
}

/** A claim that went before its snapshot was taken has left nothing to take one of. */
function isDue(wishes: Wishes, snapshot: string): boolean {
  return wishes.claims.has(wishes.snapshots.get(snapshot)?.claim ?? "");
}

function attachmentDifferences(wishes: Wishes, { attachments, volumes, stored }: World): string[] {
  const handles = new Map(volumes.map(({ metadata, spec }) => [metadata.name ?? "", spec?.csi?.volumeHandle ?? ""]));
  const attached = attachments.map(
    ({ spec }) => `${handles.get(spec.source.persistentVolumeName ?? "")} at ${spec.nodeName}`,
  );
  const published = stored.volumes.flatMap(({ id, attachments: nodes }) =>
    Object.keys(nodes).map((node) => `${id} at ${node}`),
  );
  return [
    ...compare("attachment", { wanted: wishes.attachments.keys(), found: attachments.map(nameOf) }),
    ...compare("published volume", { wanted: attached, found: published }),
    ...attachments
      .filter(({ status }) => status?.attached !== true)
      .map(({ metadata, status }) => `attachment ${metadata.name} is not attached: ${status?.attachError?.message}`),
  ];
}

/** Only for as long as something is under way. The one of clones' sources stays until they are deleted, as with the original. */
const PASSING_FINALIZERS: readonly string[] = [
  provisioningFinalizers.snapshotSourceProtection,
  snapshotFinalizers.claimAsSource,
];

/** What says that something is still being done, or that somebody forgot to finish it. */
function leftovers(world: World): string[] {
  const all: KubernetesObject[] = [
    world.claims,
    world.volumes,
    world.attachments,
    world.snapshots,
    world.contents,
  ].flat();
  return all.flatMap((object) => {
    const { deletionTimestamp, finalizers = [], annotations = {} } = object.metadata;
    const name = `${object.kind} ${object.metadata.name}`;
    return [
      ...(deletionTimestamp === undefined ? [] : [`${name} is being deleted, and has ${finalizers.join(" and ")}`]),
      ...finalizers.filter((each) => PASSING_FINALIZERS.includes(each)).map((each) => `${name} still has ${each}`),
      ...Object.keys(annotations)
        .filter((key) => key.endsWith("volumesnapshot-being-created"))
        .map((key) => `${name} still has ${key}`),
    ];
  });
}

/** What the journal of intents still holds: nothing, once the provisioner was stopped in order. */
export function openIntents({ configMaps: maps }: World): string[] {
  return maps.flatMap(({ metadata, data = {} }) => Object.keys(data).map((key) => `${metadata.name}: ${key}`));
}

function compare(what: string, { wanted, found }: { wanted: Iterable<string>; found: Iterable<string> }): string[] {
  const [wantedNames, foundNames] = [new Set(wanted), new Set(found)];
  return [
    ...[...wantedNames.difference(foundNames)].map((name) => `${what} ${name} is missing`),
    ...[...foundNames.difference(wantedNames)].map((name) => `${what} ${name} is one too many`),
  ];
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? "";
}

function bytesOf(quantity: string | undefined): bigint | undefined {
  return quantity === undefined ? undefined : Quantity.parse(quantity).toBytes();
}
