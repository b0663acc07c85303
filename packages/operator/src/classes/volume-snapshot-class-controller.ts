import {
  type InformerFactory,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type RestMapper,
} from "@stowage/kube";
import {
  customResourceDefinitions,
  escapeFieldValue,
  metadataOnly,
  type VolumeSnapshotClass,
  volumeSnapshotClasses,
} from "@stowage/machinery";
import { reportDone, reportFailed } from "../apply/apply-events.ts";
import { type ApplyDeps, isSameContent, type LocalCopies, localCopies } from "../apply/index.ts";
import { optionalInformer } from "../configuration/index.ts";
import type { Controller } from "../controllers/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorControllerSpec,
  type OperatorSyncContext,
  type OperatorWatch,
  operatorController,
  removable,
  watching,
} from "../operator-controllers/index.ts";
import { type ClassAssets, desiredClass, forEachAsset, removeClasses } from "./class-assets.ts";

export interface VolumeSnapshotClassDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T> {
  readonly client: Pick<KubeClient, "create" | "update">;
  readonly mapper: Pick<RestMapper, "has" | "invalidate">;
  /** Snapshot classes are watched as soon as there can be any. */
  readonly informers: Pick<InformerFactory, "informer">;
}

export interface VolumeSnapshotClassSpec<T extends OperatorResource = OperatorResource>
  extends ClassAssets<VolumeSnapshotClass, T> {
  /** Where the hooks look. */
  readonly watches?: readonly OperatorWatch[];
  /** How the classes go when the operand does; they stay when left out, as those of the originals do. */
  readonly removal?: {
    readonly apply: ApplyDeps;
    /** Keeps the operator's resource until the classes are gone: see `operatorFinalizer`. */
    readonly finalizer: string;
  };
}

/** A definition is served a moment after it was made, of which no watch tells. */
const SERVED_RETRY_MS = 1_000;
const definitionName = `${volumeSnapshotClasses.plural}.${volumeSnapshotClasses.group}`;

/**
 * Makes a driver's snapshot classes where there can be such, and puts their parameters right; everything else of them, also which is
 * the default, belongs to the user once they are there.
 * Watches: the operator's resource, the definition of snapshot classes while these are not served, and then these themselves. Writes
 * condition: `VolumeSnapshotClassControllerDegraded`. Deletes: its classes, on removal where it is told to.
 */
export function volumeSnapshotClassController<T extends OperatorResource>(
  deps: VolumeSnapshotClassDeps<T>,
  spec: VolumeSnapshotClassSpec<T>,
): OperatorController {
  const { mapper, informers } = deps;
  const definition = definitionWatch(deps);
  const classes = optionalInformer({ mapper, informers }, { type: volumeSnapshotClasses });
  let local: LocalCopies | undefined;
  const controller: OperatorControllerSpec<T> = {
    name: "VolumeSnapshotClassController",
    watches: [definition, classes, ...(spec.watches ?? [])],
    resyncMs: 60_000,
    async sync(context) {
      const informer = await classes.informer(context.signal);
      if (informer !== undefined) {
        local ??= localCopies([{ informer }]);
        return syncSnapshotClasses({ ...deps, local }, spec, context);
      }
      if (!(await definition.isThere(context.signal))) return undefined;
      mapper.invalidate();
      return { requeueAfterMs: SERVED_RETRY_MS };
    },
  };
  const { removal } = spec;
  if (removal === undefined) return operatorController(deps, controller);
  const remove = async (context: OperatorSyncContext<T>) => {
    const informer = await classes.informer(context.signal);
    return informer === undefined
      ? "gone"
      : removeClasses({ ...removal.apply, local: localCopies([{ informer }]) }, spec, context);
  };
  const { finalizer } = removal;
  return operatorController(deps, removable(controller, { operator: deps.operator, finalizer, remove }));
}

/** Follows the definition once it was asked for: where the classes are served from the start, nobody has to wait for it. */
function definitionWatch({ mapper, informers }: Pick<VolumeSnapshotClassDeps, "mapper" | "informers">) {
  const controllers: Controller[] = [];
  let started: ReturnType<typeof start> | undefined;
  const start = () => {
    // That it is there is all that is needed of a definition that is thousands of lines long.
    const informer = informers.informer(metadataOnly(customResourceDefinitions), {
      fieldSelector: `metadata.name=${escapeFieldValue(definitionName)}`,
    });
    // Whatever has happened to it, what was known of the API before is out of date.
    informer.addHandler({ onKey: () => mapper.invalidate() });
    const watch = watching(informer);
    for (const controller of controllers) watch.feed(controller);
    return { informer, watch };
  };
  return {
    feed: (controller: Controller) => void controllers.push(controller),
    waitForSync: async () => {},
    async isThere(signal: AbortSignal): Promise<boolean> {
      started ??= start();
      await started.watch.waitForSync(signal);
      return started.informer.objects.get({ name: definitionName }) !== undefined;
    },
  };
}

/** With what is known of the classes, our own last writes among it. */
interface KnownClassesDeps<T extends OperatorResource> extends VolumeSnapshotClassDeps<T> {
  readonly local: LocalCopies;
}

async function syncSnapshotClasses<T extends OperatorResource>(
  deps: KnownClassesDeps<T>,
  spec: ClassAssets<VolumeSnapshotClass, T>,
  { operator, signal }: OperatorSyncContext<T>,
): Promise<undefined> {
  await forEachAsset(spec.assets, async (asset) => {
    const required = await desiredClass(asset, spec, { operator, signal });
    const ref = { name: required.metadata.name ?? "" };
    const there = deps.local.find(volumeSnapshotClasses, ref) as VolumeSnapshotClass | undefined;
    const wanted = desiredSnapshotClass(required, there);
    if (wanted !== undefined) await write(deps, there === undefined ? "create" : "update", wanted, signal);
  });
}

/** What is to be sent; undefined when nothing is. Only other parameters are a reason to write. */
export function desiredSnapshotClass(
  required: VolumeSnapshotClass,
  existing: VolumeSnapshotClass | undefined,
): VolumeSnapshotClass | undefined {
  if (existing === undefined) return required;
  if (isSameContent(existing.parameters, required.parameters)) return undefined;
  // What a local copy has of managedFields is an empty list, which must not be sent.
  const { managedFields: _managedFields, ...metadata } = existing.metadata;
  return { ...existing, metadata, parameters: required.parameters };
}

async function write<T extends OperatorResource>(
  { client, events, mapper, local }: KnownClassesDeps<T>,
  act: "create" | "update",
  wanted: VolumeSnapshotClass,
  signal: AbortSignal,
): Promise<void> {
  try {
    const written = await client[act](volumeSnapshotClasses, wanted, { signal });
    local.note?.(volumeSnapshotClasses, { name: wanted.metadata.name ?? "" }, written);
    reportDone(events, act, wanted);
  } catch (error) {
    // The API has gone: the next look waits for it to come back.
    if (act === "create" && isNotFound(error)) return mapper.invalidate();
    // The local copy was behind; when it has caught up, the watch calls for another look.
    if (isAlreadyExists(error) || isConflict(error) || isNotFound(error)) return undefined;
    reportFailed(events, act, wanted, error);
    throw error;
  }
}
