import { type Informer, objectKey } from "@stowage/kube";
import {
  KeyedLock,
  type KubernetesObject,
  type PersistentVolumeClaim,
  type VolumeGroupSnapshot,
  type VolumeSnapshot,
} from "@stowage/machinery";
import { type Controller, type ControllerSpec, createController } from "@stowage/operator";
import {
  nodeCache,
  persistentVolumeCache,
  persistentVolumeClaimCache,
  volumeGroupSnapshotCache,
  volumeGroupSnapshotClassCache,
  volumeGroupSnapshotContentCache,
  volumeSnapshotCache,
  volumeSnapshotClassCache,
  volumeSnapshotContentCache,
} from "../caches/index.ts";
import type { Sidecar } from "../sidecar.ts";
import { owningGroupKeys } from "../snapshots/index.ts";
import { syncContentProtection } from "./content-protection.ts";
import { contentNameOf } from "./desired-content.ts";
import { groupContentNameOf } from "./desired-group-content.ts";
import { syncGroupContentProtection } from "./group-content-protection.ts";
import { groupKeyOf, syncGroup } from "./group-sync.ts";
import {
  claimKeys,
  groupHandleKeys,
  indexes,
  pendingRestoreKeys,
  restoredSnapshotKeys,
  volumeHandleKeys,
} from "./indexes.ts";
import { objectStore } from "./object-store.ts";
import { operationMetrics } from "./operation-metrics.ts";
import type { SnapshotControllerDeps, SnapshotControllerOptions } from "./options.ts";
import { snapshotKeyOf, syncSnapshot } from "./snapshot-sync.ts";
import type { GroupWorld, World } from "./world.ts";

/**
 * Binds VolumeSnapshots to their contents, for all drivers of a cluster.
 *
 * Watches VolumeSnapshots, their contents and classes, those of groups where their CRDs are, PVCs, PVs, and in distributed mode the
 * metadata of Nodes. Owns the contents `snapcontent-<uid>` and `groupsnapcontent-<uid>`, and the members of groups. Writes the
 * status of snapshots, default classes into them, and finalizers on snapshots, contents and PVCs. Deletes the content, and the
 * members of a group, when a snapshot that may go is being deleted and its policy is Delete; and a content that it made for one that
 * is gone already.
 */
export function createSnapshotController(deps: SnapshotControllerDeps, options: SnapshotControllerOptions): Sidecar {
  const world = worldOf(deps, options);
  const controllers = [snapshotController(deps, world), contentController(deps, world)];
  const { groups } = world;
  if (groups !== undefined) {
    controllers.push(groupController(deps, world, groups), groupContentController(deps, world, groups));
  }
  return {
    name: "snapshot-controller",
    async run(signal) {
      await Promise.all(controllers.map((controller) => controller.run(signal)));
    },
  };
}

function worldOf({ client, informers, ...deps }: SnapshotControllerDeps, options: SnapshotControllerOptions): World {
  const { events, clock, logger, registry } = deps;
  const snapshots = volumeSnapshotCache(informers);
  const claims = persistentVolumeClaimCache(informers);
  const volumes = persistentVolumeCache(informers);
  snapshots.addIndex(indexes.snapshotsOfClaim, claimKeys);
  snapshots.addIndex(indexes.snapshotsOfGroup, owningGroupKeys);
  claims.addIndex(indexes.pendingRestores, pendingRestoreKeys);
  volumes.addIndex(indexes.volumeHandle, volumeHandleKeys);
  return {
    options,
    events,
    clock,
    logger,
    operations: operationMetrics(clock, registry),
    snapshots: objectStore(client, snapshots),
    contents: objectStore(client, volumeSnapshotContentCache(informers)),
    classes: volumeSnapshotClassCache(informers).objects,
    claims: objectStore(client, claims),
    volumes: volumes.objects,
    nodes: options.isDistributed ? nodeCache(informers).objects : undefined,
    groups: options.hasGroupSnapshots ? groupWorldOf({ client, informers }) : undefined,
    claimTurns: new KeyedLock(),
    beginnings: new Set(),
    bindAfterMs: new Map(),
    seen: new Map(),
  };
}

function groupWorldOf({ client, informers }: Pick<SnapshotControllerDeps, "client" | "informers">): GroupWorld {
  const contents = volumeGroupSnapshotContentCache(informers);
  contents.addIndex(indexes.groupHandle, groupHandleKeys);
  return {
    snapshots: objectStore(client, volumeGroupSnapshotCache(informers)),
    contents: objectStore(client, contents),
    classes: volumeGroupSnapshotClassCache(informers).objects,
    seen: new Map(),
  };
}

function snapshotController(deps: SnapshotControllerDeps, world: World): Controller {
  const { informers } = deps;
  const controller = make(deps, world, "snapshot-controller-snapshot", (key) => syncSnapshot(world, key));
  controller.watch(volumeSnapshotCache(informers));
  controller.watch(volumeSnapshotContentCache(informers), snapshotKeyOf);
  // What waits for a class, a claim or a group goes on when that changes; backoff would find out much later.
  controller.watch(persistentVolumeClaimCache(informers), (claim) => [
    ...restoredSnapshotKeys(claim),
    ...unreadyKeysOfClaim(world, claim),
  ]);
  onArrival(volumeSnapshotClassCache(informers), ({ metadata }) => {
    for (const key of keysWaitingForClass(world, metadata.name)) controller.queue.add(key);
  });
  if (world.groups !== undefined) {
    controller.watch(volumeGroupSnapshotCache(informers), (group) => keysOfMembers(world, group));
  }
  return controller;
}

function contentController(deps: SnapshotControllerDeps, world: World): Controller {
  const controller = make(deps, world, "snapshot-controller-content", (key) => syncContentProtection(world, key));
  controller.watch(volumeSnapshotContentCache(deps.informers));
  // It may go without having waited for its content: see `deleteLeftContent`.
  volumeSnapshotCache(deps.informers).addHandler({ onDelete: (gone) => controller.queue.add(contentNameOf(gone)) });
  return controller;
}

function groupController(deps: SnapshotControllerDeps, world: World, groups: GroupWorld): Controller {
  const { informers } = deps;
  const controller = make(deps, world, "snapshot-controller-group-snapshot", (key) => syncGroup(world, groups, key));
  controller.watch(volumeGroupSnapshotCache(informers));
  controller.watch(volumeGroupSnapshotContentCache(informers), groupKeyOf);
  return controller;
}

function groupContentController(deps: SnapshotControllerDeps, world: World, groups: GroupWorld): Controller {
  const sync = (key: string) => syncGroupContentProtection(world, groups, key);
  const controller = make(deps, world, "snapshot-controller-group-content", sync);
  controller.watch(volumeGroupSnapshotContentCache(deps.informers));
  volumeGroupSnapshotCache(deps.informers).addHandler({
    onDelete: (gone) => controller.queue.add(groupContentNameOf(gone)),
  });
  return controller;
}

function make(
  { clock, logger, queues: metrics }: SnapshotControllerDeps,
  { options }: World,
  name: string,
  sync: ControllerSpec["sync"],
): Controller {
  const { workers, retryInitialMs: initialMs, retryMaximumMs: maximumMs, resyncMs } = options;
  const backoff = { initialMs, maximumMs };
  return createController({ clock, logger, metrics }, { name, workers, backoff, resyncMs, sync });
}

function onArrival<T extends KubernetesObject>(informer: Informer<T>, tell: (object: T) => void): void {
  informer.addHandler({ onAdd: tell, onUpdate: (object, previous) => object !== previous && tell(object) });
}

function unreadyKeysOfClaim({ snapshots }: World, claim: PersistentVolumeClaim): string[] {
  return snapshots.cached.byIndex(indexes.snapshotsOfClaim, objectKey(claim)).filter(isUnready).map(objectKey);
}

function keysWaitingForClass({ snapshots }: World, className: string | undefined): string[] {
  return snapshots.cached
    .list()
    .filter((snapshot) => isUnready(snapshot) && (snapshot.spec.volumeSnapshotClassName ?? className) === className)
    .map(objectKey);
}

function keysOfMembers({ snapshots }: World, group: VolumeGroupSnapshot): string[] {
  return snapshots.cached.byIndex(indexes.snapshotsOfGroup, objectKey(group)).map(objectKey);
}

function isUnready({ status }: VolumeSnapshot): boolean {
  return status?.readyToUse !== true;
}
