import { join } from "node:path";
import { type Pod, StowageError, type Volume } from "@stowage/machinery";
import { memoryVolumeBytes } from "./memory-size.ts";
import { inMemory, type PlainKind, plainPlugins } from "./plain-plugins.ts";

/** Where a volume is that needs no driver, and what it is kept in. */
export interface PlainPlace {
  readonly path: string;
  /** Says that the folder is as it should be. */
  readonly markFolder: string;
  readonly isInMemory: boolean;
  readonly sizeBytes: bigint | undefined;
}

export interface PlaceRules {
  /** A folder for each Pod, by uid. */
  readonly podsFolder: string;
  /** What the node has to give. */
  readonly allocatable: Readonly<Record<string, string>>;
  /** False where nothing can be mounted: what is meant for memory is on the disk then. */
  readonly hasMounts?: boolean;
}

export function plainPlace(rules: PlaceRules, pod: Pod, { name, emptyDir }: Volume, kind: PlainKind): PlainPlace {
  const { podsFolder, allocatable, hasMounts = true } = rules;
  const { medium = "", sizeLimit } = emptyDir ?? {};
  if (medium !== "" && medium !== "Memory") {
    throw new StowageError("VOLUME_SOURCE_MISSING", `unknown storage medium "${medium}"`);
  }
  const isInMemory = hasMounts && (inMemory.has(kind) || medium === "Memory");
  const uid = pod.metadata.uid ?? "";
  return {
    path: join(podsFolder, uid, "volumes", plainPlugins[kind], name),
    markFolder: markFolder(join(podsFolder, uid), plainPlugins[kind], name),
    isInMemory,
    sizeBytes: isInMemory ? memoryVolumeBytes(pod, sizeLimit, allocatable.memory) : undefined,
  };
}

/** Volumes of files are folders of this kind with something in them, and have a mark of their own. */
export function markFolder(podFolder: string, plugin: string, name: string): string {
  const own = plugin === plainPlugins.emptyDir ? name : `wrapped_${name}`;
  return join(podFolder, "plugins", plainPlugins.emptyDir, own);
}
