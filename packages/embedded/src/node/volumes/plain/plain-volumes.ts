import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Mounter } from "@stowage/csi/host";
import type { EventRecorder, Informer, KubeClient } from "@stowage/kube";
import {
  type Clock,
  type ConfigMap,
  configMaps,
  type Logger,
  type Pod,
  type Secret,
  StowageError,
  secrets,
  type Volume,
} from "@stowage/machinery";
import type { HostView } from "../../host-view/index.ts";
import { PodTokens, type TokenWish } from "../files/pod-tokens.ts";
import { WatchedObjects } from "../files/watched-objects.ts";
import type { HostVolume, HostVolumes } from "../host-volume.ts";
import { ensureEmptyFolder, namesIn, removeEmptyFolder } from "./empty-folder.ts";
import { writeFileVolume } from "./file-volume.ts";
import { hostPathVolume } from "./host-path.ts";
import { KeptVolume } from "./kept-volume.ts";
import { markFolder, type PlaceRules, plainPlace } from "./plain-places.ts";
import { isDriversVolume, plainKind, plainPlugins } from "./plain-plugins.ts";
import type { FileSources } from "./projected-files.ts";
import { referredObjects } from "./referred-objects.ts";

export interface PlainVolumesDeps extends PlaceRules {
  readonly client: KubeClient;
  readonly mounter: Mounter;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where the paths lead that Pods name; the machine's own when left out. */
  readonly hostView?: HostView;
  /** Of the node; files that say something of their Pod follow it. */
  readonly pods?: Pick<Informer<Pod>, "addHandler">;
}

/** The volumes of one Pod, each of them looked after until the Pod goes. */
interface KeptPod {
  readonly stop: AbortController;
  readonly volumes: Map<string, KeptVolume>;
  readonly work: Promise<void>[];
}

/**
 * Volumes that need no driver: files made of objects, folders that go with the Pod, and what is on the machine already. Files follow their
 * objects, by one watch for each object that Pods of the node use.
 */
export class PlainVolumes {
  readonly #deps: PlainVolumesDeps;
  readonly #configMaps: WatchedObjects<ConfigMap>;
  readonly #secrets: WatchedObjects<Secret>;
  readonly #tokens: PodTokens;
  readonly #kept = new Map<string, KeptPod>();

  constructor(deps: PlainVolumesDeps) {
    this.#deps = deps;
    this.#configMaps = new WatchedObjects(deps, configMaps);
    this.#secrets = new WatchedObjects(deps, secrets);
    this.#tokens = new PodTokens(deps);
  }

  /** Tells volumes of changes of their Pods until the signal is aborted; settles when none of them is looked after any more. */
  async run(signal: AbortSignal): Promise<void> {
    const registration = this.#deps.pods?.addHandler({ onUpdate: (pod) => this.#follow(pod) });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    registration?.remove();
    await Promise.all([...this.#kept.keys()].map((uid) => this.#letGo(uid)));
    await Promise.all([this.#configMaps.drained(), this.#secrets.drained()]);
  }

  /** Resolves when those of the Pod's volumes that need no driver are there; they are kept up to date until it is unmounted. */
  async mounted(pod: Pod, signal: AbortSignal): Promise<HostVolumes> {
    const own = (pod.spec?.volumes ?? []).filter((volume) => !isDriversVolume(volume));
    const kept = this.#keptPod(pod.metadata.uid ?? "");
    const found = await Promise.all(
      own.map(async (volume) => [volume.name, await this.#mounted(kept, pod, volume, signal)] as const),
    );
    return new Map(found);
  }

  /** Resolves when nothing of the Pod's volumes is left that need no driver. */
  async unmounted({ metadata }: Pod): Promise<void> {
    const uid = metadata.uid ?? "";
    await this.#letGo(uid);
    this.#tokens.forget(uid);
    const folder = join(this.#deps.podsFolder, uid);
    for (const plugin of Object.values(plainPlugins)) {
      for (const name of namesIn(join(folder, "volumes", plugin))) {
        const place = { path: join(folder, "volumes", plugin, name), markFolder: markFolder(folder, plugin, name) };
        await removeEmptyFolder(this.#deps, place);
      }
      rmSync(join(folder, "volumes", plugin), { recursive: true, force: true });
    }
  }

  #keptPod(uid: string): KeptPod {
    const kept = this.#kept.get(uid) ?? { stop: new AbortController(), volumes: new Map(), work: [] };
    this.#kept.set(uid, kept);
    return kept;
  }

  async #letGo(uid: string): Promise<void> {
    const kept = this.#kept.get(uid);
    this.#kept.delete(uid);
    kept?.stop.abort();
    await Promise.all(kept?.work ?? []);
  }

  #follow(pod: Pod): void {
    const { volumes } = this.#kept.get(pod.metadata.uid ?? "") ?? {};
    for (const volume of pod.spec?.volumes ?? []) {
      if (referredObjects(volume).isOfPod) volumes?.get(volume.name)?.wake(pod);
    }
  }

  async #mounted(kept: KeptPod, pod: Pod, volume: Volume, signal: AbortSignal): Promise<HostVolume> {
    const { events, clock } = this.#deps;
    let found: HostVolume | undefined;
    const setUp = async (current: Pod, lasting: AbortSignal) => {
      const { place, againMs } = await this.#setUp(current, volume, lasting);
      found = place;
      return againMs;
    };
    const keeper = new KeptVolume({ events, clock, setUp }, pod, volume);
    kept.volumes.set(volume.name, keeper);
    const holds = this.#hold(pod, volume, () => keeper.wake());
    const lasting = AbortSignal.any([kept.stop.signal, signal]);
    kept.work.push(keeper.run(lasting).finally(() => holds.dispose()));
    await keeper.first;
    return found as HostVolume;
  }

  #hold({ metadata }: Pod, volume: Volume, onChange: () => void): DisposableStack {
    const { namespace = "" } = metadata;
    const referred = referredObjects(volume);
    const holds = new DisposableStack();
    for (const name of referred.configMaps) holds.use(this.#configMaps.hold({ namespace, name }, onChange));
    for (const name of referred.secrets) holds.use(this.#secrets.hold({ namespace, name }, onChange));
    return holds;
  }

  async #setUp(pod: Pod, volume: Volume, signal: AbortSignal): Promise<{ place: HostVolume; againMs?: number }> {
    const { hostPath, emptyDir } = volume;
    if (hostPath !== undefined) {
      return { place: hostPathVolume(hostPath, this.#deps.hostView?.onMachine(hostPath.path)) };
    }
    const kind = plainKind(volume);
    if (kind === undefined) throw new StowageError("VOLUME_SOURCE_MISSING", "no volume plugin matched");
    const place = plainPlace(this.#deps, pod, volume, kind);
    if (emptyDir !== undefined) {
      const fsGroup = pod.spec?.securityContext?.fsGroup;
      await ensureEmptyFolder(this.#deps, { ...place, fsGroup }, signal);
      return { place: { kind: "folder", path: place.path, isReadOnly: false } };
    }
    const renewals: number[] = [];
    const sources = this.#sourcesOf(pod, signal, (renewalMs) => renewals.push(renewalMs));
    await writeFileVolume({ ...this.#deps, sources }, { pod, volume }, place, signal);
    const folder: HostVolume = { kind: "folder", path: place.path, isReadOnly: true };
    return { place: folder, ...(renewals.length > 0 && { againMs: Math.min(...renewals) }) };
  }

  #sourcesOf(pod: Pod, signal: AbortSignal, onRenewal: (renewalMs: number) => void): FileSources {
    const { namespace = "" } = pod.metadata;
    return {
      allocatable: this.#deps.allocatable,
      configMap: (name) => this.#configMaps.get({ namespace, name }, signal),
      secret: (name) => this.#secrets.get({ namespace, name }, signal),
      token: async (wish: TokenWish) => {
        const { token, renewalMs } = await this.#tokens.get(pod, wish);
        onRenewal(renewalMs);
        return token;
      },
    };
  }
}
