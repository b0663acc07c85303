import { KeyedLock, type Pod } from "@stowage/machinery";
import type { ExpansionDeps } from "../claims/node-expansion.ts";
import type { CsiVolume } from "../csi/csi-volume.ts";
import { devicePath } from "../csi/device-publishing.ts";
import { driverObject } from "../csi/driver-access.ts";
import { isAttachWanted } from "../csi/driver-rules.ts";
import { failureText } from "../csi/volume-failure.ts";
import type { HostVolume } from "../host-volume.ts";
import { type ActualVolumes, isMounted } from "./actual-volumes.ts";
import type { NodeVolumeStatus } from "./node-status.ts";
import type { PodProgress } from "./pod-progress.ts";
import { expandInUse } from "./volume-growth.ts";
import { retryWaits, type VolumePace } from "./volume-pace.ts";
import { mountVolume, unmountStaged, unmountVolume } from "./volume-steps.ts";

export interface DriverVolumesDeps extends ExpansionDeps {
  readonly actual: ActualVolumes;
  readonly status: NodeVolumeStatus;
  readonly pace: VolumePace;
  /** Whether any Pod is to have it. */
  isWanted(uniqueName: string): boolean;
  /** Ends calls to drivers: the agent stops. */
  readonly stopping: AbortSignal;
}

export interface VolumeUse {
  readonly pod: Pod;
  readonly volume: CsiVolume;
}

/**
 * Brings volumes of drivers to Pods and takes them away, one step at a time for each volume. A step that is under way is never cut short
 * because a Pod does not want it any more: what the driver has begun would not be known.
 */
export class DriverVolumes {
  readonly #deps: DriverVolumesDeps;
  readonly #lock = new KeyedLock();
  readonly #releasing = new Set<string>();

  constructor(deps: DriverVolumesDeps) {
    this.#deps = deps;
  }

  /** Tries until the Pod has it, or does not want it any more. */
  async bring(use: VolumeUse, progress: PodProgress, signal: AbortSignal): Promise<HostVolume> {
    const { clock, pace, events } = this.#deps;
    const { pod, volume } = use;
    for (const waits = retryWaits(pace); ; ) {
      try {
        await this.#bringOnce(use, progress, signal);
        progress.mounted(volume.podVolume);
        return this.#hostVolume(use);
      } catch (error) {
        signal.throwIfAborted();
        events.event(pod, "Warning", volume.isBlock ? "FailedMapVolume" : "FailedMount", failureText(error));
      }
      await clock.sleep(waits.next().value, signal);
    }
  }

  async #bringOnce({ pod, volume }: VolumeUse, progress: PodProgress, signal: AbortSignal): Promise<void> {
    const { actual, status } = this.#deps;
    const { uniqueName, podVolume } = volume;
    const podUid = pod.metadata.uid ?? "";
    if (isMounted(actual.ensure(volume), podUid)) return;
    const driver = await driverObject(this.#deps, volume.driver);
    signal.throwIfAborted();
    if (!volume.isInline && isAttachWanted(driver)) {
      actual.ensure(volume).isAttached = true;
      progress.waitsForAttach(podVolume);
      await status.tell();
      await status.attached(uniqueName, signal);
    }
    progress.attached(podVolume);
    await this.#lock.run(uniqueName, async () => {
      signal.throwIfAborted();
      const current = actual.ensure(volume);
      if (isMounted(current, podUid)) return;
      await mountVolume(this.#deps, { pod, volume, driver, actual: current, isAgain: false }, this.#deps.stopping);
    });
  }

  #hostVolume({ pod, volume }: VolumeUse): HostVolume {
    const podUid = pod.metadata.uid ?? "";
    const { uniqueName, isReadOnly } = volume;
    const { specName } = this.#deps.actual.get(uniqueName)?.pods.get(podUid) ?? volume;
    if (volume.isBlock) return { kind: "device", path: devicePath(this.#deps, specName, podUid) };
    return { kind: "folder", path: this.#deps.paths.published(podUid, specName).path, isReadOnly };
  }

  /** Resolves when the Pod has nothing of it any more. */
  async takeAway(uniqueName: string, podUid: string, signal: AbortSignal): Promise<void> {
    const { clock, pace, logger, actual, stopping } = this.#deps;
    for (const waits = retryWaits(pace); ; ) {
      try {
        return await this.#lock.run(uniqueName, async () => {
          const current = actual.get(uniqueName);
          if (current?.pods.has(podUid)) await unmountVolume(this.#deps, { actual: current, podUid }, stopping);
        });
      } catch (error) {
        signal.throwIfAborted();
        logger.warn({ error, volume: uniqueName, podUid }, "a volume could not be unmounted, and will be again");
      }
      await clock.sleep(waits.next().value, signal);
    }
  }

  /** Takes a volume from the node when no Pod has it nor wants it. */
  async release(uniqueName: string, signal: AbortSignal): Promise<void> {
    if (this.#releasing.has(uniqueName)) return;
    this.#releasing.add(uniqueName);
    const { clock, pace, logger, status } = this.#deps;
    try {
      for (const waits = retryWaits(pace); ; ) {
        try {
          await this.#lock.run(uniqueName, () => this.#releaseOnce(uniqueName));
          return await status.tell();
        } catch (error) {
          if (signal.aborted) return;
          logger.warn({ error, volume: uniqueName }, "a volume could not be taken from the node, and will be again");
        }
        await clock.sleep(waits.next().value, signal).catch(() => {});
      }
    } finally {
      this.#releasing.delete(uniqueName);
    }
  }

  async #releaseOnce(uniqueName: string): Promise<void> {
    const { actual, stopping } = this.#deps;
    const current = actual.get(uniqueName);
    if (current === undefined || current.pods.size > 0 || this.#deps.isWanted(uniqueName)) return;
    if (current.staged !== "no") await unmountStaged(this.#deps, current, stopping);
    actual.delete(uniqueName);
  }

  /** What is to be done from time to time for a volume that a Pod has. */
  async lookAfter(use: VolumeUse): Promise<void> {
    const { events, actual, stopping } = this.#deps;
    const { pod, volume } = use;
    const driver = await driverObject(this.#deps, volume.driver);
    await this.#lock.run(volume.uniqueName, async () => {
      const current = actual.get(volume.uniqueName);
      if (current === undefined || !isMounted(current, pod.metadata.uid ?? "")) return;
      const wish = { pod, volume, driver, actual: current, isAgain: true };
      const told = async (reason: string, work: () => Promise<void>) => {
        await work().catch((error: unknown) => {
          if (!stopping.aborted) events.event(pod, "Warning", reason, failureText(error));
        });
      };
      if (driver?.spec.requiresRepublish === true) {
        await told("FailedMount", () => mountVolume(this.#deps, wish, stopping));
      }
      await told("VolumeResizeFailed", () => expandInUse(this.#deps, wish, stopping));
    });
  }
}
