import { CommandError } from "../commands/command-error.ts";
import type { Executor } from "../commands/executor.ts";
import type { FaultPoint } from "../fault-points.ts";
import { refusal } from "../requests/refusal.ts";

export interface LoopDevice {
  /** Such as `/dev/loop3`. */
  readonly path: string;
  readonly backingFile: string;
  readonly isReadOnly: boolean;
  /** Such as `7:3`. */
  readonly number: string;
  /** Detached, and gone as soon as the last who looks at it lets go: not to be used again. */
  readonly isLeaving: boolean;
}

/** Loop devices are asked for, never remembered: what the kernel says is true after any crash. */
export class LoopDevices {
  readonly #executor: Executor;
  readonly #faultPoint: FaultPoint;

  constructor(executor: Executor, faultPoint: FaultPoint) {
    this.#executor = executor;
    this.#faultPoint = faultPoint;
  }

  async of(image: string): Promise<LoopDevice[]> {
    return this.#list(["--associated", image]);
  }

  async all(): Promise<LoopDevice[]> {
    return this.#list(["--list"]);
  }

  /** The image's device; a read-only one is kept apart from the writable one. */
  async ensure(image: string, { isReadOnly }: { readonly isReadOnly: boolean }): Promise<LoopDevice> {
    const attached = await this.of(image);
    const found = attached.find((device) => device.isReadOnly === isReadOnly && !device.isLeaving);
    if (found) return found;
    const path = await this.#attach(image, isReadOnly);
    await this.#faultPoint("loop:attached");
    const device = (await this.of(image)).find((candidate) => candidate.path === path);
    if (!device) throw new Error(`${path} was attached to ${image} and is gone again`);
    return device;
  }

  /** The kernel lets go of a device that is in use when its last user does. */
  async detach(device: LoopDevice): Promise<void> {
    // Exit code 1: it is gone already.
    await this.#executor.run(["losetup", "--detach", device.path], { acceptedExitCodes: [1] });
    await this.#faultPoint("loop:detached");
  }

  /** Makes the kernel see that the image has grown. */
  async refreshSize(device: LoopDevice): Promise<void> {
    await this.#executor.run(["losetup", "--set-capacity", device.path]);
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
    const columns = "NAME,BACK-FILE,RO,MAJ:MIN,AUTOCLEAR";
    const { stdout } = await this.#executor.run(["losetup", "--json", "--output", columns, ...selection]);
    // Without any device, older versions print nothing at all.
    if (stdout.trim() === "") return [];
    const { loopdevices } = JSON.parse(stdout) as { loopdevices: ListedDevice[] };
    return loopdevices.map((listed) => ({
      path: listed.name,
      backingFile: (listed["back-file"] ?? "").replace(/ \(deleted\)$/, ""),
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
  readonly ro: ListedFlag;
  readonly "maj:min": string;
  readonly autoclear: ListedFlag;
}
