import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { pathFailure } from "../../pods/worker/pod-folders.ts";
import { VolumeFailure } from "./volume-failure.ts";

/**
 * Makes a folder for a driver, and those above it that are missing: one after the other, since Node does not tell that nothing can be
 * written when it makes all of them at once. `words` are kubelet's, for when that fails.
 */
export function makeVolumeFolder(path: string, words: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    throw new VolumeFailure("final", `kubernetes.io/csi: ${words} ${pathFailure(error)}`, error);
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o750 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return;
    if (code !== "ENOENT" || dirname(path) === path) throw error;
    makeFolder(dirname(path));
    makeFolder(path);
  }
}
