import type { Informer } from "@stowage/kube";
import { StowageError, snapshotLabels } from "@stowage/machinery";
import { type Controller, createController } from "@stowage/operator";
import {
  latestObjects,
  volumeGroupSnapshotClassCache,
  volumeGroupSnapshotContentCache,
  volumeSnapshotClassCache,
  volumeSnapshotContentCache,
} from "../caches/index.ts";
import type { DriverProfile } from "../driver/index.ts";
import type { Sidecar, SidecarDeps } from "../sidecar.ts";

import { isNews } from "./content-change.ts";
import type { ContentKind } from "./content-kind.ts";
import type { AnyContent } from "./content-step.ts";
import { syncContent } from "./content-sync.ts";
import { groupKind } from "./group-kind.ts";
import type { SnapshotterOptions } from "./options.ts";
import { snapshotKind } from "./snapshot-kind.ts";

/** Without this there is nothing for the snapshotter to do. */
export function takesSnapshots({ controller }: Pick<DriverProfile, "controller">): boolean {
  return controller.has("CREATE_DELETE_SNAPSHOT");
}

/**
 * Takes snapshots of the driver's volumes, and deletes them.
 *
 * Watches VolumeSnapshotContents, their classes, and those of groups. Owns no objects: the snapshot controller and people make
 * contents. Writes their status, the annotation `volumesnapshot-being-created` before it calls the driver, and the finalizer. Has
 * the driver delete a snapshot when its content is being deleted, says so by annotation, and its policy is Delete; then takes the
 * finalizer off.
 */
export function createSnapshotter(deps: SidecarDeps, options: SnapshotterOptions): Sidecar {
  checkOptions(options);
  const name = "snapshotter";
  if (!takesSnapshots(deps.driver)) return idle(name, deps);
  const controllers = [contentController(deps, options)];
  if (options.hasGroupSnapshots) controllers.push(groupContentController(deps, options));
  return {
    name,
    async run(signal) {
      await Promise.all(controllers.map((controller) => controller.run(signal)));
    },
  };
}

function contentController(deps: SidecarDeps, options: SnapshotterOptions): Controller {
  const contents = volumeSnapshotContentCache(deps.informers, selectionOf(options));
  const classes = volumeSnapshotClassCache(deps.informers).objects;
  return controllerOf(
    "csi-snapshotter-content",
    { deps, options, contents },
    snapshotKind({ ...deps, options, classes }),
  );
}

function groupContentController(deps: SidecarDeps, options: SnapshotterOptions): Controller {
  const contents = volumeGroupSnapshotContentCache(deps.informers, selectionOf(options));
  const classes = volumeGroupSnapshotClassCache(deps.informers).objects;
  const name = "csi-snapshotter-groupsnapshotcontent";
  return controllerOf(name, { deps, options, contents }, groupKind({ ...deps, options, classes }));
}

interface Place<T extends AnyContent> {
  readonly deps: SidecarDeps;
  readonly options: SnapshotterOptions;
  readonly contents: Informer<T>;
}

function controllerOf<T extends AnyContent>(
  name: string,
  { deps, options, contents }: Place<T>,
  kind: ContentKind<T>,
): Controller {
  const { client, events, clock, logger, queues: metrics } = deps;
  const contentDeps = { client, events, clock, logger, contents: latestObjects(contents), kind };
  const controller = createController(
    { clock, logger, metrics },
    {
      name,
      workers: options.workers,
      backoff: { initialMs: options.retryInitialMs, maximumMs: options.retryMaximumMs },
      resyncMs: options.resyncMs,
      sync: (key, context) => syncContent(contentDeps, key, context),
    },
  );
  // Contents are of the whole cluster: their name is their key.
  const keysOf = (content: T) => (kind.isForeign(content) ? [] : [content.metadata.name ?? ""]);
  controller.watch(contents, keysOf, {
    isNews: (content, previous) =>
      isNews(content, previous, kind.names.beingCreated) || isHandedOver(kind, content, previous),
  });
  return controller;
}

/** The one status that the sidecar does not write itself: of a member, when the controller notes which snapshot it is. */
function isHandedOver<T extends AnyContent>({ factsOf }: ContentKind<T>, content: T, previous: T): boolean {
  const { isGroupMember, handle } = factsOf(content);
  return isGroupMember && handle !== undefined && factsOf(previous).handle === undefined;
}

function selectionOf({ nodeName }: SnapshotterOptions): { readonly labelSelector?: string } {
  return nodeName === undefined ? {} : { labelSelector: `${snapshotLabels.managedBy}=${nodeName}` };
}

function checkOptions({ snapshotNamePrefix, groupSnapshotNamePrefix, hasGroupSnapshots }: SnapshotterOptions): void {
  if (snapshotNamePrefix !== "" && (groupSnapshotNamePrefix !== "" || !hasGroupSnapshots)) return;
  throw new StowageError("SNAPSHOT_IMPOSSIBLE", "snapshots need a prefix for their names, and the one given is empty", {
    nextStep: "Give --snapshot-name-prefix and --groupsnapshot-name-prefix, or leave them out.",
  });
}

/** In one process with others, a driver that cannot do this is no reason to end them all. */
function idle(name: string, { driver, logger }: SidecarDeps): Sidecar {
  return {
    name,
    run(signal) {
      logger.info(
        { driver: driver.name },
        "the driver has no CREATE_DELETE_SNAPSHOT: the snapshotter has nothing to do",
      );
      return new Promise((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener("abort", () => resolve(), { once: true });
      });
    },
  };
}
