import {
  type InformerFactory,
  isAlreadyExists,
  isConflict,
  isNotFound,
  type KubeClient,
  type ObjectReader,
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
import { isSameContent } from "../apply/index.ts";
import { optionalInformer } from "../configuration/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorSyncContext,
  operatorController,
  watching,
} from "../operator-controllers/index.ts";
import { type ClassAssets, desiredClass, forEachAsset } from "./class-assets.ts";

export interface VolumeSnapshotClassDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T> {
  readonly client: Pick<KubeClient, "create" | "update">;
  readonly mapper: Pick<RestMapper, "has" | "invalidate">;
  /** Snapshot classes are watched as soon as there can be any. */
  readonly informers: Pick<InformerFactory, "informer">;
}

/** A definition is served a moment after it was made, of which no watch tells. */
const SERVED_RETRY_MS = 1_000;
const definitionName = `${volumeSnapshotClasses.plural}.${volumeSnapshotClasses.group}`;

/**
 * Makes a driver's snapshot classes where there can be such, and puts their parameters right; everything else of them, also which is
 * the default, belongs to the user once they are there.
 * Watches: the operator's resource, the definition of snapshot classes, and these themselves once it is there. Writes condition:
 * `VolumeSnapshotClassControllerDegraded`. Deletes: nothing.
 */
export function volumeSnapshotClassController<T extends OperatorResource>(
  deps: VolumeSnapshotClassDeps<T>,
  spec: ClassAssets<VolumeSnapshotClass, T>,
): OperatorController {
  const { mapper, informers } = deps;
  // That it is there is all that is needed of a definition that is thousands of lines long.
  const definitions = informers.informer(metadataOnly(customResourceDefinitions), {
    fieldSelector: `metadata.name=${escapeFieldValue(definitionName)}`,
  });
  // Whatever has happened to it, what was known of the API before is out of date.
  definitions.addHandler({ onKey: () => mapper.invalidate() });
  const classes = optionalInformer({ mapper, informers }, { type: volumeSnapshotClasses });
  return operatorController(deps, {
    name: "VolumeSnapshotClassController",
    watches: [watching(definitions), classes],
    async sync(context) {
      if (definitions.objects.get({ name: definitionName }) === undefined) return undefined;
      const existing = await classes.objects(context.signal);
      if (existing === undefined) {
        mapper.invalidate();
        return { requeueAfterMs: SERVED_RETRY_MS };
      }
      return syncSnapshotClasses(deps, { spec, existing }, context);
    },
  });
}

async function syncSnapshotClasses<T extends OperatorResource>(
  deps: VolumeSnapshotClassDeps<T>,
  { spec, existing }: { spec: ClassAssets<VolumeSnapshotClass, T>; existing: ObjectReader<VolumeSnapshotClass> },
  { operator, signal }: OperatorSyncContext<T>,
): Promise<undefined> {
  await forEachAsset(spec.assets, async (asset) => {
    const required = await desiredClass(asset, spec, operator);
    const there = existing.get({ name: required.metadata.name ?? "" });
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
  { client, events }: VolumeSnapshotClassDeps<T>,
  act: "create" | "update",
  wanted: VolumeSnapshotClass,
  signal: AbortSignal,
): Promise<void> {
  try {
    await client[act](volumeSnapshotClasses, wanted, { signal });
    reportDone(events, act, wanted);
  } catch (error) {
    // The local copy was behind; when it has caught up, the watch calls for another look.
    if (isAlreadyExists(error) || isConflict(error) || isNotFound(error)) return;
    reportFailed(events, act, wanted, error);
    throw error;
  }
}
