import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Pod, Volume } from "@stowage/machinery";
import { writeAtomically } from "../files/atomic-files.ts";
import { setVolumeOwnership } from "../ownership/volume-ownership.ts";
import { type EmptyFolderDeps, ensureEmptyFolder } from "./empty-folder.ts";
import { nestedMountPoints } from "./nested-mounts.ts";
import type { PlainPlace } from "./plain-places.ts";
import { type FileSources, volumeFiles } from "./projected-files.ts";

/** What the group of a Pod may do with files that nobody writes: read them. */
const groupReads = 0o440;

/** Makes a volume hold the files that it is to have now. Nothing is there of it before all that they are made of is. */
export async function writeFileVolume(
  deps: EmptyFolderDeps & { readonly sources: FileSources },
  { pod, volume }: { readonly pod: Pod; readonly volume: Volume },
  place: PlainPlace,
  signal: AbortSignal,
): Promise<void> {
  const { path } = place;
  const fsGroup = pod.spec?.securityContext?.fsGroup;
  const files = (await volumeFiles(deps.sources, pod, volume)) ?? new Map();
  signal.throwIfAborted();
  await ensureEmptyFolder(deps, { ...place, fsGroup }, signal);
  for (const within of nestedMountPoints(pod, volume.name)) {
    mkdirSync(join(path, within), { recursive: true, mode: 0o755 });
  }
  if (fsGroup === undefined) {
    await writeAtomically(path, files);
    return;
  }
  const onWritten = () => setVolumeOwnership({ path, fsGroup, changePolicy: undefined, isReadOnly: true }, signal);
  await writeAtomically(path, files, { onWritten, addedMode: groupReads });
}
