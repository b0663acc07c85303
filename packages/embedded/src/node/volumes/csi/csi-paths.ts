import { createHash } from "node:crypto";
import { join } from "node:path";

const DATA_FILE = "vol_data.json";
const MOUNT_FOLDER = "mount";
const STAGING_FOLDER = "globalmount";
/** Below a Pod's folder, and below the plugin's. */
export const devicesFolder = "volumeDevices";
/** What kubelet makes of `kubernetes.io/csi` for the name of a folder. */
export const pluginFolder = "kubernetes.io~csi";

/** Where kubelet keeps volumes of drivers; drivers and people look there. */
export class CsiPaths {
  readonly #folder: string;

  /** The node's own folder, in place of `/var/lib/kubelet`. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Where a volume is staged for all Pods of the node. Its folder has what must be known to undo that. */
  staging(driver: string, volumeHandle: string): CsiPlace {
    const digest = createHash("sha256").update(volumeHandle).digest("hex");
    return placeIn(join(this.plugin, driver, digest), STAGING_FOLDER);
  }

  /** Where a Pod has it; `name` is that of the PersistentVolume, or of the Pod's own volume when it is inline. */
  published(podUid: string, name: string): CsiPlace {
    return placeIn(join(this.pod(podUid), "volumes", pluginFolder, name), MOUNT_FOLDER);
  }

  /** The same of block devices; what is known of one is known for all Pods that have it. */
  stagedDevice(name: string): CsiPlace {
    return { path: join(this.#devices, "staging", name), dataPath: join(this.deviceFolder(name), "data", DATA_FILE) };
  }

  publishedDevice(name: string, podUid: string): string {
    return join(this.#devices, "publish", name, podUid);
  }

  /** What is kept of a device beside its staging and publishing. */
  deviceFolder(name: string): string {
    return join(this.#devices, name);
  }

  /** The device once more for each Pod: as long as anything is here, it is in use. */
  deviceMaps(name: string): string {
    return join(this.deviceFolder(name), "dev");
  }

  /** A link to the device, by which a Pod's containers get it. */
  podDevice(podUid: string, name: string): string {
    return join(this.pod(podUid), devicesFolder, pluginFolder, name);
  }

  /** Of the Pod, for all that has no driver as well. */
  pod(podUid: string): string {
    return join(this.pods, podUid);
  }

  get pods(): string {
    return join(this.#folder, "pods");
  }

  /** A folder for each driver, and one for devices. */
  get plugin(): string {
    return join(this.#folder, "plugins", "kubernetes.io", "csi");
  }

  get #devices(): string {
    return join(this.plugin, devicesFolder);
  }
}

export interface CsiPlace {
  /** What the driver is given. */
  readonly path: string;
  /** What is known of it: driver, handle and the like, as JSON. */
  readonly dataPath: string;
}

function placeIn(folder: string, mount: string): CsiPlace {
  return { path: join(folder, mount), dataPath: join(folder, DATA_FILE) };
}
