import { existsSync, readdirSync } from "node:fs";
import { labHash, layoutOf } from "../cluster/layout.ts";
import { LabError } from "../errors.ts";

/**
 * A socket's path is at most 107 bytes, and below the kubelet's folder come `plugins_registry/DRIVER-reg.sock` and
 * `plugins/DRIVER/csi.sock`: this leaves 40 for the driver's name.
 */
const LONGEST = 40;

/** In the lab's own folder when its path is short enough, else beside the machine's other state. */
export function defaultKubeletFolder(dir: string): string {
  const own = layoutOf(dir).kubelet;
  return Buffer.byteLength(own) <= LONGEST ? own : `/var/lib/stowage-lab-${labHash(dir)}`;
}

/** Every kubelet makes it in /var/lib/kubelet, wherever its own folder is, and leaves it there. */
const DEVICE_PLUGINS = "device-plugins";

/** The lab empties the folder in the end, so it must not be one that a kubelet of the machine uses. */
export function requireUnusedFolder(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).every((name) => name === DEVICE_PLUGINS)) return;
  throw new LabError("NODE_REFUSED", `${folder} is not empty: another kubelet may be using it`, {
    nextStep: "empty it when it is not in use, or choose another with --kubelet-dir",
  });
}
