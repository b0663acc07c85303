import {
  type KubernetesObject,
  type PersistentVolume,
  provisioningFinalizers,
  Quantity,
  snapshotFinalizers,
} from "@stowage/machinery";
import {
  describeContent,
  describeObject,
  describeSnapshot,
  describeUse,
  describeVolume,
} from "./object-description.ts";
import type { Wishes } from "./wishes.ts";
import type { World } from "./world.ts";

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
  const describe = describer(claims, describeObject);
  const phases = new Map(claims.map(({ metadata, status }) => [metadata.name ?? "", status?.phase]));
  return [
    ...compare("claim", { wanted: wishes.claims.keys(), found: phases.keys(), describe }),
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
function volumeDifferences(world: World): string[] {
  const { claims, volumes, stored } = world;
  const handles = volumes.map(handleOf);
  const claimed = claims.flatMap(({ spec }) => spec?.volumeName || []);
  return [
    ...compare("volume in the storage", {
      wanted: handles,
      found: stored.volumes.map(({ id }) => id),
      describe: (found) => stored.volumes.filter(({ id }) => id === found).map(({ name }) => `called ${name}`),
    }),
    ...compare("PV", {
      wanted: claimed,
      found: volumes.map(nameOf),
      describe: describer(volumes, (volume) => describeVolume(volume, world)),
    }),
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

function snapshotDifferences(wishes: Wishes, world: World): string[] {
  const { snapshots, contents, stored } = world;
  const handles = contents.flatMap(({ status }) => status?.snapshotHandle ?? []);
  const bound = snapshots.flatMap(({ status }) => status?.boundVolumeSnapshotContentName ?? []);
  return [
    ...compare("snapshot", {
      wanted: wishes.snapshots.keys(),
      found: snapshots.map(nameOf),
      describe: describer(snapshots, describeSnapshot),
    }),
    ...compare("snapshot in the storage", {
      wanted: handles,
      found: stored.snapshots.map(({ id }) => id),
      describe: (found) => stored.snapshots.filter(({ id }) => id === found).map(({ name }) => `called ${name}`),
    }),
    ...compare("snapshot content", {
      wanted: bound,
      found: contents.map(nameOf),
      describe: describer(contents, (content) => describeContent(content, world)),
    }),
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
  const handles = new Map(volumes.map((volume) => [nameOf(volume), handleOf(volume)]));
  const attached = attachments.map(
    ({ spec }) => `${handles.get(spec.source.persistentVolumeName ?? "")} at ${spec.nodeName}`,
  );
  const published = stored.volumes.flatMap(({ id, attachments: nodes }) =>
    Object.keys(nodes).map((node) => `${id} at ${node}`),
  );
  return [
    ...compare("attachment", {
      wanted: wishes.attachments.keys(),
      found: attachments.map(nameOf),
      describe: describer(attachments, describeObject),
    }),
    ...compare("published volume", {
      wanted: attached,
      found: published,
      describe: (found) => volumes.filter((volume) => found.startsWith(`${handleOf(volume)} at `)).flatMap(describeUse),
    }),
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

/**
 * Intents of volumes without a PV. The provisioner may not have looked at them yet: until it has, volumes that nobody wants come and
 * go, and a world without differences is not at rest. Others are done and only wait to be taken out of the journal.
 */
export function unsettledIntents({ configMaps: maps, volumes }: World): string[] {
  const names = new Set(volumes.map(nameOf));
  return maps
    .flatMap(({ data = {} }) => Object.keys(data))
    .filter((claimUid) => !names.has(`pvc-${claimUid}`))
    .map((claimUid) => `the intent for pvc-${claimUid} is not settled`);
}

/** What the journal of intents still holds: nothing, once the provisioner was stopped in order. */
export function openIntents({ configMaps: maps }: World): string[] {
  return maps.flatMap(({ metadata, data = {} }) => Object.keys(data).map((key) => `${metadata.name}: ${key}`));
}

interface Comparison {
  readonly wanted: Iterable<string>;
  readonly found: Iterable<string>;
  /** What is known of one that is there: of one too many nothing else may be left to tell where it comes from. */
  describe?(name: string): readonly string[];
}

function compare(what: string, { wanted, found, describe }: Comparison): string[] {
  const [wantedNames, foundNames] = [new Set(wanted), new Set(found)];
  return [
    ...[...wantedNames.difference(foundNames)].map((name) => `${what} ${name} is missing`),
    ...[...foundNames.difference(wantedNames)].map((name) =>
      [`${what} ${name} is one too many`, ...(describe?.(name) ?? [])].join("; "),
    ),
  ];
}

function describer<T extends KubernetesObject>(objects: readonly T[], describe: (object: T) => readonly string[]) {
  return (name: string) => objects.filter((object) => nameOf(object) === name).flatMap(describe);
}

function nameOf({ metadata }: KubernetesObject): string {
  return metadata.name ?? "";
}

function handleOf({ spec }: PersistentVolume): string {
  return spec?.csi?.volumeHandle ?? "";
}

function bytesOf(quantity: string | undefined): bigint | undefined {
  return quantity === undefined ? undefined : Quantity.parse(quantity).toBytes();
}
