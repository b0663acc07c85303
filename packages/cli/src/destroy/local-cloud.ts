import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { isCsiError } from "@stowage/csi";
import { createLocalDriver, type LocalDriver, type TaggedResource } from "@stowage/drivers";
import { type Logger, StowageError } from "@stowage/machinery";
import { type CloudVolume, usualMarks, type VolumeCloud, type VolumeName } from "@stowage/operators/destroy";

export interface LocalCloudOptions {
  readonly stateDir: string;
  readonly contents: "auto" | "image" | "directory";
  readonly logger: Logger;
}

export interface LocalCloud extends VolumeCloud, AsyncDisposable {}

/** The local driver's volumes on this machine. It opens them as the driver does, which must not run meanwhile. */
export async function openLocalCloud({ stateDir, contents, logger }: LocalCloudOptions): Promise<LocalCloud> {
  const path = resolve(stateDir);
  // The driver would make it, and then find nothing in it.
  const isThere = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isThere) {
    const nextStep = "Give --state-dir as the driver has it.";
    throw new StowageError("CLOUD_CONFIG_INVALID", `there is no folder ${path}`, { nextStep });
  }
  // Volumes that are there know their node already; no new ones are made.
  const driver = await createLocalDriver({ stateDir: path, nodeId: "destroy", contents, logger });
  return cloudOf(driver);
}

function cloudOf(driver: LocalDriver): LocalCloud {
  return {
    title: "this machine",
    kinds: ["group snapshot", "snapshot", "volume"],
    marksOf: usualMarks,
    async page({ kind, clusterId }) {
      const marked = usualMarks(clusterId).flatMap(({ key, value }) => driver.resourcesTagged({ [key]: value }));
      return { volumes: marked.filter((each) => each.kind === kind).map(volumeOf), next: undefined };
    },
    async read(name) {
      const resource = driver.resourceOf(name);
      return resource === undefined ? undefined : volumeOf(resource);
    },
    delete: (name) => destroy(driver, name),
    [Symbol.asyncDispose]: () => driver.close(),
  };
}

async function destroy(driver: LocalDriver, { kind, id }: VolumeName): Promise<void> {
  try {
    await driver.destroyResource({ kind, id });
  } catch (error) {
    if (!isCsiError(error)) throw error;
    // Whatever it is, a mount or a disk that is full, may be over the next time.
    throw new StowageError("VOLUME_HELD", error.details, { cause: error });
  }
}

function volumeOf({ kind, id, name, capacityBytes, labels }: TaggedResource): CloudVolume {
  return { kind, id, label: name, sizeBytes: capacityBytes, tags: labels, state: "free", users: [] };
}
