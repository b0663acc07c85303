import type { Informer } from "@stowage/kube";
import type { Pod, Volume } from "@stowage/machinery";
import type { HostView } from "../../host-view/index.ts";
import type { ExpansionDeps } from "../claims/node-expansion.ts";
import { CsiPaths } from "../csi/csi-paths.ts";
import { driverUsage } from "../csi/driver-usage.ts";
import { PodTokens } from "../files/pod-tokens.ts";
import type { HostVolumes } from "../host-volume.ts";
import type { VolumeUsage } from "../stats/volume-usage.ts";
import { ActualVolumes, isMounted } from "./actual-volumes.ts";
import { BackgroundWork } from "./background-work.ts";
import { DriverVolumes } from "./driver-volumes.ts";
import { findVolumes } from "./found-volumes.ts";
import { NodeVolumeStatus } from "./node-status.ts";
import { bringVolumes } from "./pod-mounting.ts";
import { kubeletPace, type VolumePace } from "./volume-pace.ts";
import { readVolumeSource } from "./volume-source.ts";
import { WantedPods, type WantedVolume } from "./wanted-pods.ts";

/** What a Pod's volumes are asked for by; `PodVolumes` of `pods/` is the same. */
interface OtherVolumes {
  mounted(pod: Pod, signal: AbortSignal): Promise<HostVolumes>;
  unmounted(pod: Pod, signal: AbortSignal): Promise<void>;
}

export interface VolumeManagerDeps extends Omit<ExpansionDeps, "paths" | "tokens"> {
  /** The node's own, laid out as kubelet's is. */
  readonly folder: string;
  /** Those that need no driver. */
  readonly plain: OtherVolumes;
  /** Of this node alone: what nobody wants goes only when it is known who is there. */
  readonly pods: Pick<Informer<Pod>, "waitForSync">;
  /** Where the paths lead that volumes name; the machine's own when left out. */
  readonly hostView?: HostView;
  readonly pace?: VolumePace;
}

/** As long as it takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;

/**
 * The volumes of the node's Pods. What Pods want is compared with what is there; what is there is found again on disk after a restart, and
 * what nobody wants any more goes. Writes `volumesInUse` of the Node, and into claims what became of their expansion.
 */
export class VolumeManager {
  readonly #deps: VolumeManagerDeps;
  readonly #pace: VolumePace;
  readonly #paths: CsiPaths;
  readonly #tokens: PodTokens;
  readonly #csi: ExpansionDeps;
  readonly #actual = new ActualVolumes();
  readonly #wanted = new WantedPods();
  readonly #status: NodeVolumeStatus;
  readonly #driverVolumes: DriverVolumes;
  readonly #stopping = new AbortController();
  readonly #work: BackgroundWork;

  private constructor(deps: VolumeManagerDeps) {
    const { signal: stopping } = this.#stopping;
    this.#deps = deps;
    this.#pace = deps.pace ?? kubeletPace;
    this.#paths = new CsiPaths(deps.folder);
    this.#tokens = new PodTokens(deps);
    this.#csi = { ...deps, paths: this.#paths, tokens: this.#tokens };
    this.#work = new BackgroundWork(deps.logger, stopping);
    const inUse = () => this.#actual.list().flatMap((each) => (each.isAttached ? [each.uniqueName] : []));
    this.#status = new NodeVolumeStatus({ ...deps, inUse });
    const isWanted = (uniqueName: string) => this.#wanted.isWanted(uniqueName);
    const state = { actual: this.#actual, status: this.#status, isWanted };
    this.#driverVolumes = new DriverVolumes({ ...this.#csi, ...state, pace: this.#pace, stopping });
  }

  /** With all that an earlier agent left on the node. */
  static async open(deps: VolumeManagerDeps): Promise<VolumeManager> {
    const manager = new VolumeManager(deps);
    const mountPoints = new Set((await deps.mounter.table()).map(({ mountPoint }) => mountPoint));
    findVolumes(manager.#paths, mountPoints, manager.#actual);
    const { volumesInUse, volumesAttached } = (await manager.#status.read())?.status ?? {};
    const attached = new Set([...(volumesInUse ?? []), ...(volumesAttached ?? []).map(({ name }) => name)]);
    for (const volume of manager.#actual.list()) volume.isAttached = attached.has(volume.uniqueName);
    return manager;
  }

  /** Until the signal is aborted; what is mounted stays mounted, and is found again. */
  async run(signal: AbortSignal): Promise<void> {
    const following = this.#status.run(signal);
    const { clock, pods, logger } = this.#deps;
    try {
      await pods.waitForSync({ signal, timeoutMs: NO_LIMIT_MS });
      this.#releaseUnwanted();
      while (!signal.aborted) {
        await clock.sleep(this.#pace.lookMs, signal).catch(() => {});
        if (!signal.aborted) this.#look();
      }
    } catch (error) {
      if (!signal.aborted) logger.error({ error }, "volumes are not looked after any more");
    }
    this.#stopping.abort();
    await Promise.all([following, this.#work.drained()]);
  }

  /** Resolves when all volumes that the Pod's containers use are there. What keeps them is told by events meanwhile. */
  async mounted(pod: Pod, signal: AbortSignal): Promise<HostVolumes> {
    const wanted = this.#wanted.want(pod);
    const whileWanted = AbortSignal.any([signal, wanted.signal, this.#stopping.signal]);
    const { driverVolumes, pace, work } = { driverVolumes: this.#driverVolumes, pace: this.#pace, work: this.#work };
    return bringVolumes({ ...this.#deps, driverVolumes, pace, work }, wanted, whileWanted);
  }

  /** Resolves when nothing of the Pod's volumes is left. Its containers must have ended. */
  async unmounted(pod: Pod, signal: AbortSignal): Promise<void> {
    const podUid = pod.metadata.uid ?? "";
    const names = this.#wanted.drop(podUid).map(({ volume }) => volume.uniqueName);
    this.#tokens.forget(podUid);
    const ofDrivers = new Set([...names, ...this.#actual.ofPod(podUid).map(({ uniqueName }) => uniqueName)]);
    const takeAway = (name: string) => this.#work.follow(this.#driverVolumes.takeAway(name, podUid, signal));
    await Promise.all([...ofDrivers].map(takeAway));
    for (const name of ofDrivers) this.#release(name);
    await this.#deps.plain.unmounted(pod, signal);
  }

  /** What the driver of a Pod's volume says of its fill; undefined when it does not tell, or when the volume is not there. */
  async usage({ metadata }: Pod, { name }: Volume, signal: AbortSignal): Promise<VolumeUsage | undefined> {
    const podUid = metadata.uid ?? "";
    const volume = this.#wanted.get(podUid)?.volumes.get(name)?.volume;
    if (volume === undefined || !isMounted(this.#actual.get(volume.uniqueName), podUid)) return undefined;
    return driverUsage(this.#csi, volume, podUid, signal);
  }

  #look(): void {
    for (const { pod, volumes } of this.#wanted.list()) {
      for (const each of volumes.values()) this.#work.begin(this.#lookAfter(pod, each));
    }
    this.#releaseUnwanted();
    this.#work.begin(this.#status.tellAgain());
  }

  async #lookAfter(pod: Pod, wanted: WantedVolume): Promise<void> {
    if (wanted.volume.bound !== undefined) {
      const source = await readVolumeSource(this.#deps, pod, wanted.podVolume);
      if (source.kind === "driver") wanted.volume = source.volume;
    }
    await this.#driverVolumes.lookAfter({ pod, volume: wanted.volume });
  }

  #releaseUnwanted(): void {
    for (const { uniqueName } of this.#actual.list()) this.#release(uniqueName);
  }

  #release(uniqueName: string): void {
    this.#work.begin(this.#driverVolumes.release(uniqueName, this.#stopping.signal));
  }
}
