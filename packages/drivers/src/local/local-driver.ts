import { closeSync } from "node:fs";
import { join } from "node:path";
import type { Driver } from "@stowage/csi";
import { createMounter, createSystemExecutor } from "@stowage/csi/host";
import type { LocalDeps } from "./local-deps.ts";
import { type LocalDriverOptions, type ResolvedOptions, resolveOptions } from "./options.ts";
import { createAttachmentCalls } from "./services/attachment.ts";
import { createCapacityCalls } from "./services/capacity.ts";
import { createGroupCalls } from "./services/group-snapshots.ts";
import { createNodeInfoCalls } from "./services/node-info.ts";
import { createPublishCalls } from "./services/publishing.ts";
import { recover } from "./services/recovery.ts";
import { createSnapshotCalls } from "./services/snapshots.ts";
import { createStageCalls } from "./services/staging.ts";
import { createTaggedVolumes, type TaggedVolumes } from "./services/tagged-volumes.ts";
import { createAttributeCalls } from "./services/volume-attributes.ts";
import { createCreationCalls } from "./services/volume-creation.ts";
import { createDeletionCalls } from "./services/volume-deletion.ts";
import { createExpansionCalls } from "./services/volume-expansion.ts";
import { createControllerHealthCalls, createNodeHealthCalls } from "./services/volume-health.ts";
import { createInventoryCalls } from "./services/volume-inventory.ts";
import { openState } from "./state/driver-state.ts";
import { hasSysResource, mayAttachLoopDevices, mayBind } from "./storage/capabilities.ts";
import { createDirectoryContents } from "./storage/directory-contents.ts";
import { createDirectoryMounts } from "./storage/directory-mounts.ts";
import { createBindPlacement, linkPlacement } from "./storage/directory-placement.ts";
import { createImageContents } from "./storage/image-contents.ts";
import { createImageMounts } from "./storage/image-mounts.ts";
import { IoLimits } from "./storage/io-limits.ts";
import { LoopDevices } from "./storage/loop-devices.ts";

export interface LocalDriver extends Driver, TaggedVolumes {
  /** Lets go of the state directory, after the last call: until then its file system cannot be unmounted. */
  close(): Promise<void>;
}

/** Opens the state directory, settles what an earlier process left unfinished there, and offers the driver. */
export async function createLocalDriver(given: LocalDriverOptions): Promise<LocalDriver> {
  const resolved = resolveOptions(given);
  const state = await openState(resolved);
  const options = { ...resolved, executor: given.executor ?? createSystemExecutor(state.ownerDescriptor) };
  const kind = await chooseStorage(options, state.layout.root);
  const storage = kind === "image" ? imageStorage(options) : directoryStorage(options, kind, state.layout.root);
  const deps: LocalDeps = { options, state, ...storage };
  await recover(deps);
  const close = async () => closeSync(state.ownerDescriptor);
  return { ...driverOf(deps), ...createTaggedVolumes(deps), close };
}

function driverOf(deps: LocalDeps): Driver {
  const { driverName, vendorVersion, isAttachable } = deps.options;
  return {
    name: driverName,
    vendorVersion,
    manifest: { contents: deps.contents.kind },
    traits: {
      hasTopology: true,
      hasSnapshotTopology: true,
      expansion: "online",
      supportsClones: true,
      supportsReadOnlyPublish: isAttachable,
      listsPublishedNodes: isAttachable,
      reportsVolumeCondition: true,
      supportsSingleNodeMultiWriter: true,
    },
    controller: {
      ...createCreationCalls(deps),
      ...createDeletionCalls(deps),
      ...createExpansionCalls(deps),
      ...createInventoryCalls(deps),
      ...createCapacityCalls(deps),
      ...createSnapshotCalls(deps),
      ...createControllerHealthCalls(deps),
      // A directory has no device whose I/O could be limited.
      ...(deps.contents.kind === "image" ? createAttributeCalls(deps) : {}),
      ...(isAttachable ? createAttachmentCalls(deps) : {}),
    },
    groupController: createGroupCalls(deps),
    node: {
      ...createStageCalls(deps),
      ...createPublishCalls(deps),
      ...createNodeInfoCalls(deps),
      ...createNodeHealthCalls(deps),
    },
  };
}

type Storage = Pick<LocalDeps, "contents" | "mounts">;

function imageStorage({ executor, faultPoint, ioCgroup }: ResolvedOptions): Storage {
  const loopDevices = new LoopDevices(executor, faultPoint);
  const mounter = createMounter(executor);
  const ioLimits = new IoLimits(ioCgroup);
  return {
    contents: createImageContents({ executor, loopDevices, faultPoint }),
    mounts: createImageMounts({
      executor,
      loopDevices,
      mounter,
      ioLimits,
      faultPoint,
      canGrowMountedExt4: hasSysResource,
    }),
  };
}

type StorageKind = "image" | "directory" | "bound-directory";

function directoryStorage({ executor, faultPoint }: ResolvedOptions, kind: StorageKind, root: string): Storage {
  const placement = kind === "directory" ? linkPlacement : createBindPlacement(createMounter(executor));
  return {
    contents: createDirectoryContents(executor, faultPoint),
    mounts: createDirectoryMounts({ registry: join(root, "published"), placement, faultPoint }),
  };
}

async function chooseStorage({ contents, executor, logger }: ResolvedOptions, root: string): Promise<StorageKind> {
  if (contents !== "auto") return contents;
  if (await mayAttachLoopDevices()) return "image";
  const isBound = await mayBind(createMounter(executor), root);
  const readOnly = isBound ? "" : " and no read-only";
  const consequence = `sizes are not enforced, and there are no raw block${readOnly} volumes`;
  logger.warn({ consequence }, "loop devices need root: volumes are plain directories");
  return isBound ? "bound-directory" : "directory";
}
