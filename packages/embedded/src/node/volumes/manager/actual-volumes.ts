import type { CsiVolume } from "../csi/csi-volume.ts";

/** `uncertain`: it may be there, so that it must be asked for again, or undone. */
export type Presence = "no" | "uncertain" | "yes";

/** What is known of a volume that a Pod has, or may have. */
export interface PodUse {
  /** Two PersistentVolumes may be the same volume: this is the one that the Pod has it by. */
  readonly specName: string;
  readonly presence: Exclude<Presence, "no">;
  /** When the agent started: what fails later says nothing of whether it is there. */
  readonly wasFound: boolean;
}

/** What is known of a volume on this node. An inline one is never staged. */
export interface ActualVolume {
  readonly uniqueName: string;
  /** By which a device is staged. */
  readonly specName: string;
  readonly driver: string;
  readonly volumeHandle: string;
  readonly isInline: boolean;
  readonly isBlock: boolean;
  /** Whether the cluster attaches it: as long as it is here, the Node says that it is in use. */
  isAttached: boolean;
  staged: Presence;
  /** That it is staged, or may be. */
  wasFound: boolean;
  /** By the uids of Pods. */
  readonly pods: Map<string, PodUse>;
  /** What the claim says that it has; undefined until it is known. */
  sizeBytes: bigint | undefined;
  /** The driver expands nothing that is in use. */
  isExpansionRefused: boolean;
  hasExpansionFailed: boolean;
}

type Identity = Pick<CsiVolume, "uniqueName" | "specName" | "driver" | "volumeHandle" | "isInline" | "isBlock">;

/** The volumes of drivers that are on the node, or may be. */
export class ActualVolumes {
  readonly #volumes = new Map<string, ActualVolume>();

  get(uniqueName: string): ActualVolume | undefined {
    return this.#volumes.get(uniqueName);
  }

  /** The one that there is, or a new one that is nowhere yet. */
  ensure(identity: Identity): ActualVolume {
    const { uniqueName, specName, driver, volumeHandle, isInline, isBlock } = identity;
    const known = this.#volumes.get(uniqueName);
    if (known !== undefined) return known;
    const volume: ActualVolume = {
      uniqueName,
      specName,
      driver,
      volumeHandle,
      isInline,
      isBlock,
      isAttached: false,
      staged: "no",
      wasFound: false,
      pods: new Map(),
      sizeBytes: undefined,
      isExpansionRefused: false,
      hasExpansionFailed: false,
    };
    this.#volumes.set(uniqueName, volume);
    return volume;
  }

  delete(uniqueName: string): void {
    this.#volumes.delete(uniqueName);
  }

  list(): ActualVolume[] {
    return [...this.#volumes.values()];
  }

  ofPod(podUid: string): ActualVolume[] {
    return this.list().filter(({ pods }) => pods.has(podUid));
  }
}

/** Whether the Pod certainly has it. */
export function isMounted(volume: ActualVolume | undefined, podUid: string): boolean {
  return volume?.pods.get(podUid)?.presence === "yes";
}

/** What is known after a step that failed. */
export function presenceAfter(
  before: Presence,
  certainty: "final" | "uncertain" | "transient",
  wasFound: boolean,
): Presence {
  if (certainty === "uncertain") return before === "no" ? "uncertain" : before;
  // What was found when the agent started was there: that it cannot be asked for again does not take it away.
  return certainty === "final" && before === "uncertain" && !wasFound ? "no" : before;
}
