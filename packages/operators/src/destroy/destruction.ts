import { createBackoff } from "@stowage/kube";
import { type Clock, hasErrorCode, type ResourceTag } from "@stowage/machinery";
import type { CloudPatience } from "../cloud-config/index.ts";
import { isOwned } from "./ownership-mark.ts";
import type { CloudVolume, VolumeCloud, VolumeName } from "./volume-cloud.ts";

export interface DestructionDeps {
  readonly cloud: VolumeCloud;
  readonly patience: CloudPatience;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

export interface DestructionRequest {
  readonly clusterId: string;
  /** How long to go on for what cannot be deleted, counted from the last time that something could. */
  readonly timeoutMs: number;
  readonly onProgress: (tally: Tally) => void;
}

/** Kept while the work is under way, so that it can be told when it is interrupted. */
export interface Tally {
  /** Those that the cloud has agreed to delete. */
  readonly accepted: ReadonlySet<string>;
  /** Why others are there still, as last seen. */
  readonly reasons: ReadonlyMap<string, string>;
}

export interface Destroyed {
  /** How many are gone because of this. */
  readonly deleted: number;
  readonly left: readonly LeftVolume[];
}

export interface LeftVolume {
  readonly volume: CloudVolume;
  readonly reason: string;
}

const CONCURRENCY = 8;
const WAIT = { baseMs: 500, maximumMs: 10_000 } as const;

/** Everything in the cloud that carries the cluster's mark, in the order in which it has to go. */
export async function listOwned(deps: DestructionDeps, clusterId: string): Promise<CloudVolume[]> {
  const { cloud, patience, signal } = deps;
  const marks = cloud.marksOf(clusterId);
  const found = new Map<string, CloudVolume>();
  for (const kind of cloud.kinds) {
    let after: string | undefined;
    do {
      const request = { kind, clusterId, after };
      const page = await patience.call(() => cloud.page(request, signal), signal);
      // A page may repeat what was on the one before it, when something came or went meanwhile.
      for (const volume of page.volumes) if (isOwned(volume, marks)) found.set(keyOf(volume), volume);
      after = page.next;
    } while (after !== undefined);
  }
  return [...found.values()];
}

/** Deletes until the cloud lists nothing more, or what is left stays as it is for too long. */
export async function destroyOwned(deps: DestructionDeps, request: DestructionRequest): Promise<Destroyed> {
  const { clock, signal } = deps;
  const { clusterId, timeoutMs } = request;
  const sweep = new Sweep(deps, request);
  const waits = createBackoff(WAIT);
  let [known, changedMs] = [0, clock.monotonicMs()];
  for (let round = 1; ; round += 1) {
    const left = await listOwned(deps, clusterId);
    const nowMs = clock.monotonicMs();
    if (sweep.accepted.size !== known) {
      [known, changedMs] = [sweep.accepted.size, nowMs];
      waits.reset();
    }
    const remainingMs = changedMs + timeoutMs - nowMs;
    if (left.every((volume) => sweep.isHopeless(volume)) || (round > 1 && remainingMs <= 0)) return sweep.end(left);
    await sweep.run(left);
    await clock.sleep(Math.max(0, Math.min(waits.nextMs(), remainingMs)), signal);
  }
}

/** What has to happen to something, as it is now. */
export function desiredStep(
  current: CloudVolume | undefined,
  marks: readonly ResourceTag[],
): "delete" | "wait" | "spare" | "forget" {
  if (current === undefined) return "forget";
  if (!isOwned(current, marks)) return "spare";
  return current.state === "free" ? "delete" : "wait";
}

class Sweep implements Tally {
  readonly accepted = new Set<string>();
  readonly reasons = new Map<string, string>();
  readonly #hopeless = new Set<string>();
  readonly #deps: DestructionDeps;
  readonly #marks: readonly ResourceTag[];
  readonly #onProgress: (tally: Tally) => void;

  constructor(deps: DestructionDeps, { clusterId, onProgress }: DestructionRequest) {
    this.#deps = deps;
    this.#marks = deps.cloud.marksOf(clusterId);
    this.#onProgress = onProgress;
  }

  isHopeless(volume: VolumeName): boolean {
    return this.#hopeless.has(keyOf(volume));
  }

  end(left: readonly CloudVolume[]): Destroyed {
    const stillThere = left.filter((volume) => this.accepted.has(keyOf(volume)));
    return {
      deleted: this.accepted.size - stillThere.length,
      left: left.map((volume) => ({ volume, reason: this.reasons.get(keyOf(volume)) ?? reasonOf(volume) })),
    };
  }

  /** A kind after the other: a volume cannot go before its snapshots in every cloud. */
  async run(volumes: readonly CloudVolume[]): Promise<void> {
    for (const kind of this.#deps.cloud.kinds) {
      const waiting = volumes.filter((volume) => volume.kind === kind && !this.isHopeless(volume)).values();
      const worker = async () => {
        for (const volume of waiting) await this.#settle(volume);
      };
      // All of them are waited for when one fails, so that nothing goes on behind the caller's back.
      const ends = await Promise.allSettled(Array.from({ length: CONCURRENCY }, worker));
      const failed = ends.find((end) => end.status === "rejected");
      if (failed !== undefined) throw failed.reason;
    }
  }

  /** Looked at again right before it is deleted: a list of thousands is minutes old by the time its last one is reached. */
  async #settle(name: VolumeName): Promise<void> {
    const { cloud, patience, signal } = this.#deps;
    const key = keyOf(name);
    try {
      const current = await patience.call(() => cloud.read(name, signal), signal);
      const step = desiredStep(current, this.#marks);
      if (step === "delete") {
        await patience.call(() => cloud.delete(name, signal), signal);
        this.accepted.add(key);
        this.reasons.delete(key);
      } else if (step === "wait" && current !== undefined) {
        this.reasons.set(key, reasonOf(current));
      }
    } catch (error) {
      this.#failed(key, error);
    }
    this.#onProgress(this);
  }

  #failed(key: string, error: unknown): void {
    const isHeld = hasErrorCode(error, "VOLUME_HELD");
    if (!isHeld && !hasErrorCode(error, "CLOUD_REFUSED")) throw error;
    if (!isHeld) this.#hopeless.add(key);
    this.reasons.set(key, error.message);
  }
}

function keyOf({ kind, id }: VolumeName): string {
  return `${kind} ${id}`;
}

function reasonOf({ state, users }: CloudVolume): string {
  if (state === "going") return "it is being deleted, and not gone yet";
  if (state === "free") return "it was there again after it had been deleted";
  return users.length === 0 ? "it is in use" : `it is in use by ${users.join(", ")}`;
}
