import type { Pod, Volume } from "@stowage/machinery";
import type { CsiVolume } from "../csi/csi-volume.ts";

/** A volume of a Pod, once it is known what it is; looked up anew from time to time. */
export interface WantedVolume {
  readonly podVolume: Volume;
  volume: CsiVolume;
}

/** A Pod that is to have its volumes, and those of them that are drivers'. */
export interface WantedPod {
  readonly pod: Pod;
  readonly volumes: Map<string, WantedVolume>;
  /** Aborted when the Pod is to have them no more. */
  readonly signal: AbortSignal;
}

/** Which Pods are to have which volumes, by the uids of Pods. */
export class WantedPods {
  readonly #pods = new Map<string, WantedPod & { readonly stop: AbortController }>();

  /** The one that there is, or one whose volumes are not known yet. */
  want(pod: Pod): WantedPod {
    const uid = pod.metadata.uid ?? "";
    const known = this.#pods.get(uid);
    if (known !== undefined) return known;
    const stop = new AbortController();
    const wanted = { pod, volumes: new Map<string, WantedVolume>(), signal: stop.signal, stop };
    this.#pods.set(uid, wanted);
    return wanted;
  }

  get(uid: string): WantedPod | undefined {
    return this.#pods.get(uid);
  }

  /** Returns what it was to have. */
  drop(uid: string): WantedVolume[] {
    const wanted = this.#pods.get(uid);
    wanted?.stop.abort();
    this.#pods.delete(uid);
    return [...(wanted?.volumes.values() ?? [])];
  }

  list(): WantedPod[] {
    return [...this.#pods.values()];
  }

  isWanted(uniqueName: string): boolean {
    return this.list().some(({ volumes }) => volumes.values().some(({ volume }) => volume.uniqueName === uniqueName));
  }
}
