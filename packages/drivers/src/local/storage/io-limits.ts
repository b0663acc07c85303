import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { refusal } from "../requests/refusal.ts";
import type { LoopDevice } from "./loop-devices.ts";

/** What a VolumeAttributesClass may set. The limits hold for the processes of the cgroup, which are the Pods by default. */
const limitKeys = [
  "readBytesPerSecond",
  "writeBytesPerSecond",
  "readOperationsPerSecond",
  "writeOperationsPerSecond",
] as const;
type LimitKey = (typeof limitKeys)[number];
const readAheadKey = "readAheadKiB";
const attributeKeys: readonly string[] = [...limitKeys, readAheadKey];

const v1Files: Readonly<Record<LimitKey, string>> = {
  readBytesPerSecond: "blkio.throttle.read_bps_device",
  writeBytesPerSecond: "blkio.throttle.write_bps_device",
  readOperationsPerSecond: "blkio.throttle.read_iops_device",
  writeOperationsPerSecond: "blkio.throttle.write_iops_device",
};
const v2Fields: Readonly<Record<LimitKey, string>> = {
  readBytesPerSecond: "rbps",
  writeBytesPerSecond: "wbps",
  readOperationsPerSecond: "riops",
  writeOperationsPerSecond: "wiops",
};

/**
 * Of version 2 only. In version 1 a limit holds for the processes of that very cgroup and not for those below it, where Pods are:
 * it would be accepted and do nothing. Whoever names a cgroup of version 1 as an option means the processes in it.
 */
const defaultCgroups = ["/sys/fs/cgroup/kubepods.slice", "/sys/fs/cgroup/kubepods"];

export type Attributes = Readonly<Record<string, string>>;

/** Refuses attributes that mean nothing here, before anything is made. */
export function checkAttributes(attributes: Attributes): void {
  for (const [key, value] of Object.entries(attributes)) {
    if (!attributeKeys.includes(key)) {
      throw refusal("INVALID_ARGUMENT", `The parameter ${key} cannot be changed.`, `Use ${attributeKeys.join(", ")}.`);
    }
    if (!/^[1-9]\d{0,15}$/.test(value)) {
      throw refusal("INVALID_ARGUMENT", `${key} is "${value}".`, "Write a whole number above zero.");
    }
  }
}

/** Sets the limits of a loop device, and takes away what an earlier user of the device had. */
export class IoLimits {
  readonly #candidates: readonly string[];

  constructor(cgroup: string | undefined) {
    this.#candidates = cgroup === undefined ? defaultCgroups : [cgroup];
  }

  async apply(device: LoopDevice, attributes: Attributes): Promise<void> {
    const readAhead = attributes[readAheadKey];
    if (readAhead !== undefined) {
      await writeFile(join("/sys/block", device.path.replace("/dev/", ""), "queue/read_ahead_kb"), readAhead);
    }
    const limits = limitKeys.filter((key) => attributes[key] !== undefined);
    if (await this.#applyToCgroup(device, attributes)) return;
    if (limits.length === 0) return;
    throw refusal(
      "FAILED_PRECONDITION",
      `The limits ${limits.join(", ")} need a cgroup with the io controller (${this.#candidates.join(" or ")}); none was found.`,
      "Name one with the ioCgroup option, or take the limits out of the VolumeAttributesClass.",
    );
  }

  async #applyToCgroup(device: LoopDevice, attributes: Attributes): Promise<boolean> {
    for (const cgroup of this.#candidates) {
      if (await exists(join(cgroup, "io.max"))) {
        const fields = limitKeys.map((key) => `${v2Fields[key]}=${attributes[key] ?? "max"}`);
        await writeFile(join(cgroup, "io.max"), `${device.number} ${fields.join(" ")}`);
        return true;
      }
      if (await exists(join(cgroup, v1Files.readBytesPerSecond))) {
        for (const key of limitKeys) {
          await writeFile(join(cgroup, v1Files[key]), `${device.number} ${attributes[key] ?? "0"}`);
        }
        return true;
      }
    }
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
