import { join } from "node:path";
import type { Informer } from "@stowage/kube";
import { type Clock, formatTime, type Logger, type Pod, type Volume } from "@stowage/machinery";
import { isDriversVolume, plainKind, plainPlugins } from "../plain/plain-plugins.ts";
import { fileSystemStats, type PodStats, podStats, type StatsSummary } from "./summary-document.ts";
import { volumeMetricsText } from "./volume-metrics.ts";
import { fileSystemUsage, folderUsage, type VolumeUsage } from "./volume-usage.ts";

export interface NodeStatsDeps {
  /** Of the node. */
  readonly pods: Pick<Informer<Pod>, "objects">;
  readonly nodeName: string;
  /** A folder for each Pod, by uid. */
  readonly podsFolder: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What the driver of a Pod's volume says of it; undefined when it does not tell, or when the volume is not there. */
  driverUsage?(pod: Pod, volume: Volume, signal: AbortSignal): Promise<VolumeUsage | undefined>;
}

interface Measured {
  readonly usage: Promise<VolumeUsage | undefined>;
  readonly sinceMs: number;
}

/** As often as kubelet looks. */
const KEPT_MS = 60_000;

/** How full the volumes of the node's Pods are. What was measured less than a minute ago is told again. */
export class NodeStats {
  readonly #deps: NodeStatsDeps;
  readonly #startedMs: number;
  readonly #measured = new Map<string, Measured>();

  constructor(deps: NodeStatsDeps) {
    this.#deps = deps;
    this.#startedMs = deps.clock.nowMs();
  }

  /** The document of `/stats/summary`. */
  async summary(signal: AbortSignal): Promise<StatsSummary> {
    const { nodeName } = this.#deps;
    const disk = await this.#disk();
    const fs = disk && fileSystemStats(disk);
    const node = { nodeName, startTime: formatTime(this.#startedMs) };
    const stores = fs && { fs, runtime: { imageFs: fs, containerFs: fs } };
    return { node: { ...node, ...stores }, pods: await this.pods(signal) };
  }

  /** What `/metrics` says of volumes. */
  async metrics(signal: AbortSignal): Promise<string> {
    return volumeMetricsText(await this.pods(signal));
  }

  async pods(signal: AbortSignal): Promise<PodStats[]> {
    const disk = await this.#disk();
    const present = this.#deps.pods.objects.list().filter(({ status }) => status?.phase === "Running");
    this.#forgetAllBut(present);
    return Promise.all(present.map(async (pod) => podStats(pod, await this.volumes(pod, signal), disk)));
  }

  /** Those of a Pod that can be measured, by name. */
  async volumes(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, VolumeUsage>> {
    const found = new Map<string, VolumeUsage>();
    for (const volume of pod.spec?.volumes ?? []) {
      const usage = await this.#recent(pod, volume, signal);
      if (usage !== undefined) found.set(volume.name, usage);
    }
    return found;
  }

  /** Its folders that have a limit, as they are now. */
  async folders(pod: Pod, signal: AbortSignal): Promise<ReadonlyMap<string, VolumeUsage>> {
    const found = new Map<string, VolumeUsage>();
    for (const volume of pod.spec?.volumes ?? []) {
      if (volume.emptyDir?.sizeLimit === undefined) continue;
      const usage = await this.#measure(pod, volume, signal).catch(() => undefined);
      if (usage !== undefined) found.set(volume.name, usage);
    }
    return found;
  }

  #recent(pod: Pod, volume: Volume, signal: AbortSignal): Promise<VolumeUsage | undefined> {
    const key = `${pod.metadata.uid}/${volume.name}`;
    const kept = this.#measured.get(key);
    const nowMs = this.#deps.clock.nowMs();
    if (kept !== undefined && nowMs - kept.sinceMs < KEPT_MS) return kept.usage;
    const usage = this.#measure(pod, volume, signal).catch((error: unknown) => {
      this.#measured.delete(key);
      this.#deps.logger.debug({ error, pod: pod.metadata.name, volume: volume.name }, "a volume was not measured");
      return undefined;
    });
    this.#measured.set(key, { usage, sinceMs: nowMs });
    return usage;
  }

  async #measure(pod: Pod, volume: Volume, signal: AbortSignal): Promise<VolumeUsage | undefined> {
    const { podsFolder, clock, driverUsage } = this.#deps;
    if (isDriversVolume(volume)) return driverUsage?.(pod, volume, signal);
    const kind = plainKind(volume);
    // Of the machine's own paths nothing is told: they are not the Pod's.
    if (kind === undefined) return undefined;
    const path = join(podsFolder, pod.metadata.uid ?? "", "volumes", plainPlugins[kind], volume.name);
    return folderUsage(path, clock.nowMs(), signal);
  }

  async #disk(): Promise<VolumeUsage | undefined> {
    const { podsFolder, clock } = this.#deps;
    return fileSystemUsage(podsFolder, clock.nowMs()).catch(() => undefined);
  }

  #forgetAllBut(present: readonly Pod[]): void {
    const uids = new Set(present.map(({ metadata }) => metadata.uid));
    for (const key of this.#measured.keys()) {
      if (!uids.has(key.split("/")[0])) this.#measured.delete(key);
    }
  }
}
