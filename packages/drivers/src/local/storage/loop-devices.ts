import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError, deviceNumber, type Executor } from "@stowage/csi/host";
import { type Clock, systemClock } from "@stowage/machinery";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";

export interface LoopDevice {
  /** Such as `/dev/loop3`. */
  readonly path: string;
  readonly backingFile: string;
  /** The number of that file in its file system, and of the file system, such as `8:1`: together the same whoever looks. */
  readonly inode: bigint;
  readonly fileSystem: string;
  readonly isReadOnly: boolean;
  /** Such as `7:3`. */
  readonly number: string;
  /** Detached, and gone as soon as its last user lets go: not to be used again. */
  readonly isLeaving: boolean;
}

/** Whoever lists all devices has each of them open for a moment; a mount that is unmounted elsewhere takes longer. */
const leavingWaitsMs = [10, 20, 50, 100, 200, 500, 1000, 2000, 2000, 2000];

/** Loop devices are asked for, never remembered: what the kernel says is true after any crash. */
export class LoopDevices {
  readonly #executor: Executor;
  readonly #faultPoint: FaultPoint;
  readonly #clock: Clock;

  constructor(executor: Executor, faultPoint: FaultPoint, clock: Clock = systemClock) {
    this.#executor = executor;
    this.#faultPoint = faultPoint;
    this.#clock = clock;
  }

  async of(image: string): Promise<LoopDevice[]> {
    return this.#list(["--associated", image]);
  }

  /**
   * Those of the files in a folder. The kernel tells the path of a file from where its mount begins when that is another container's: of
   * a driver that was started anew, all its former devices. Such a file is told by its name and its numbers.
   */
  async below(directory: string): Promise<LoopDevice[]> {
    return (await this.#list(["--list"])).flatMap((device) => {
      if (dirname(device.backingFile) === directory) return [device];
      const backingFile = join(directory, basename(device.backingFile));
      const file = statSync(backingFile, { bigint: true, throwIfNoEntry: false });
      const isSame = file?.ino === device.inode && deviceNumber(file.dev) === device.fileSystem;
      return isSame ? [{ ...device, backingFile }] : [];
    });
  }

  /** The image's device; a read-only one is kept apart from the writable one. */
  async ensure(image: string, { isReadOnly }: { readonly isReadOnly: boolean }): Promise<LoopDevice> {
    const attached = await this.of(image);
    const found = attached.find((device) => device.isReadOnly === isReadOnly && !device.isLeaving);
    if (found) return found;
    await this.#waitForLeaving(image);
    const path = await this.#attach(image, isReadOnly);
    await this.#faultPoint("loop:attached");
    const device = (await this.of(image)).find((candidate) => candidate.path === path);
    if (!device) throw new Error(`${path} was attached to ${image} and is gone again`);
    return device;
  }

  /** The kernel lets go of a device that is in use when its last user does. */
  async detach(device: LoopDevice): Promise<void> {
    // By now its name may be that of somebody else's.
    if (device.isLeaving) return;
    // Exit code 1: it is gone already.
    await this.#executor.run(["losetup", "--detach", device.path], { acceptedExitCodes: [1] });
    await this.#faultPoint("loop:detached");
  }

  /** Makes the kernel see that the image has grown. */
  async refreshSize(device: LoopDevice): Promise<void> {
    await this.#executor.run(["losetup", "--set-capacity", device.path]);
  }

  /**
   * A device that is leaving may still be mounted where this process cannot see it, in another mount namespace: unmounting it there writes
   * to the image. Beside a second device with the same file system that would destroy it.
   */
  async #waitForLeaving(image: string): Promise<void> {
    const leaving = async () => (await this.of(image)).find((device) => device.isLeaving && !device.isReadOnly);
    for (const waitMs of leavingWaitsMs) {
      if ((await leaving()) === undefined) return;
      await this.#clock.sleep(waitMs);
    }
    const left = await leaving();
    if (left === undefined) return;
    throw refusal(
      "FAILED_PRECONDITION",
      `${left.path} was detached from ${image} and is still in use, though not mounted where this driver can see it.`,
      `End what uses it, such as a process whose mounts are its own (\`grep ${left.path} /proc/*/mountinfo\`).`,
    );
  }

  async #attach(image: string, isReadOnly: boolean): Promise<string> {
    const flags = isReadOnly ? ["--read-only"] : [];
    try {
      const { stdout } = await this.#executor.run(["losetup", "--find", "--show", ...flags, image]);
      return stdout.trim();
    } catch (error) {
      if (!(error instanceof CommandError) || error.kind !== "failed") throw error;
      throw refusal(
        "RESOURCE_EXHAUSTED",
        `No loop device can be attached to ${image}: ${error.stderrTail}.`,
        "Free loop devices (`losetup --list`), or allow the node more of them (max_loop of the loop module).",
      );
    }
  }

  async #list(selection: readonly string[]): Promise<LoopDevice[]> {
    const columns = "NAME,BACK-FILE,BACK-INO,BACK-MAJ:MIN,RO,MAJ:MIN,AUTOCLEAR";
    const { stdout } = await this.#executor.run(["losetup", "--json", "--output", columns, ...selection]);
    // Without any device, older versions print nothing at all.
    if (stdout.trim() === "") return [];
    const { loopdevices } = JSON.parse(stdout) as { loopdevices: ListedDevice[] };
    return loopdevices.map((listed) => ({
      path: listed.name,
      backingFile: (listed["back-file"] ?? "").replace(/ \(deleted\)$/, ""),
      inode: BigInt(listed["back-ino"] ?? 0),
      fileSystem: (listed["back-maj:min"] ?? "").trim(),
      isReadOnly: isSet(listed.ro),
      number: listed["maj:min"].trim(),
      isLeaving: isSet(listed.autoclear),
    }));
  }
}

/** A string or a number in older versions of util-linux. */
type ListedFlag = boolean | string | number;

const isSet = (flag: ListedFlag) => flag === true || flag === "1" || flag === 1;

interface ListedDevice {
  readonly name: string;
  readonly "back-file": string | null;
  readonly "back-ino": string | number | null;
  readonly "back-maj:min": string | null;
  readonly ro: ListedFlag;
  readonly "maj:min": string;
  readonly autoclear: ListedFlag;
}
