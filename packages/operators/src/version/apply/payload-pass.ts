import type { ClusterOperator, ComponentOverride, KubernetesObject, Logger } from "@stowage/machinery";
import { isKindMissing, specHash } from "@stowage/operator";
import {
  isClusterOperator,
  isDeletion,
  isOptional,
  manifestKey,
  manifestName,
  type Payload,
  type PayloadManifest,
  type RunLevel,
  runLevelsOf,
} from "../payload/index.ts";
import { applyClusterOperator } from "./cluster-operator-apply.ts";
import { clusterOperatorTrouble } from "./cluster-operator-health.ts";
import { troubleOfError } from "./error-trouble.ts";
import { applyManifest, type ManifestDeps } from "./manifest-apply.ts";
import { isFailing, objectTrouble } from "./object-health.ts";
import { isOverridden } from "./overrides.ts";
import type { PayloadMemory } from "./payload-memory.ts";
import type { Trouble } from "./trouble.ts";

/** `installing`: no version was ever complete. `updating`: to another version. `reconciling`: it is there, and is kept. */
export type PayloadMode = "installing" | "updating" | "reconciling";

export interface PassDeps extends Omit<ManifestDeps, "known"> {
  readonly memory: PayloadMemory;
  readonly logger: Logger;
}

export interface PassSpec {
  readonly payload: Payload;
  readonly mode: PayloadMode;
  readonly overrides: readonly ComponentOverride[];
  /** The payload was applied before, if not by this process. */
  readonly mayExist: boolean;
  readonly signal: AbortSignal;
  /** So many are done. */
  onProgress(done: number): Promise<void>;
}

export interface PassResult {
  readonly done: number;
  readonly total: number;
  readonly troubles: readonly Trouble[];
  /** Objects that were deleted and still wait for their finalizers. */
  readonly lingering: readonly string[];
}

/** An API server that is down would be asked for every object of the payload. */
const MAXIMUM_ERRORS = 3;

/**
 * Goes through the payload once, and waits for nothing: what is not done yet is told as a trouble, and looked at again in the next
 * pass. Updates keep to the order of the payload; while a cluster is installed, and while it is kept, what waits keeps nothing else
 * from going on, so that parts that need each other can come up in any order.
 */
export async function passPayload(deps: PassDeps, spec: PassSpec): Promise<PassResult> {
  const pass = new Pass(deps, spec);
  for (const level of runLevelsOf(spec.payload.manifests)) {
    await pass.level(level);
    if (pass.isOver || (spec.mode === "updating" && pass.troubles.length > 0)) break;
  }
  return pass.result();
}

class Pass {
  readonly troubles: Trouble[] = [];
  readonly #deps: PassDeps;
  readonly #manifestDeps: ManifestDeps;
  readonly #spec: PassSpec;
  readonly #total: number;
  readonly #indexOf: ReadonlyMap<PayloadManifest, number>;
  readonly #due: ReadonlySet<string>;
  readonly #lingering: string[] = [];
  #done = 0;
  #errors = 0;

  constructor(deps: PassDeps, spec: PassSpec) {
    const { manifests } = spec.payload;
    this.#deps = deps;
    this.#manifestDeps = { ...deps, known: deps.memory.known };
    this.#spec = spec;
    this.#total = manifests.length;
    this.#indexOf = new Map(manifests.map((manifest, index) => [manifest, index + 1]));
    this.#due = deps.memory.spread.due(new Map(manifests.map((each) => [manifestKey(each), contentOf(each)])));
  }

  get isOver(): boolean {
    return (
      this.#spec.signal.aborted ||
      this.#errors >= MAXIMUM_ERRORS ||
      this.troubles.some(({ reason }) => isBarrier(reason))
    );
  }

  async level(groups: RunLevel): Promise<void> {
    for (const group of groups) {
      await this.#announce(group);
      await this.#group(group);
      if (this.isOver) return;
    }
  }

  result(): PassResult {
    return { done: this.#done, total: this.#total, troubles: this.troubles, lingering: this.#lingering };
  }

  /** People look at ClusterOperators first when something does not come up, so they are there before it does. */
  async #announce(group: readonly PayloadManifest[]): Promise<void> {
    const { signal, overrides } = this.#spec;
    for (const manifest of group) {
      if (!isClusterOperator(manifest) || isDeletion(manifest) || isOverridden(manifest, overrides)) continue;
      if (this.#deps.findClusterOperator(manifest.object.metadata.name ?? "") !== undefined) continue;
      await applyClusterOperator(this.#manifestDeps, manifest, signal).catch((error: unknown) => {
        // Its own turn comes, and then it counts.
        this.#deps.logger.debug({ error, object: manifestName(manifest) }, "could not be made beforehand");
      });
    }
  }

  async #group(group: readonly PayloadManifest[]): Promise<void> {
    for (const manifest of group) {
      if (this.#spec.signal.aborted) return;
      const trouble = await this.#manifest(manifest);
      if (trouble === undefined) {
        this.#done++;
        await this.#spec.onProgress(this.#done);
        continue;
      }
      this.troubles.push(trouble.trouble);
      if (trouble.isError) this.#errors++;
      const mayGoOn = this.#spec.mode !== "updating" && !trouble.isError;
      if (!mayGoOn || this.isOver) return;
    }
  }

  async #manifest(manifest: PayloadManifest): Promise<{ trouble: Trouble; isError: boolean } | undefined> {
    const { overrides, signal } = this.#spec;
    const { spread } = this.#deps.memory;
    const key = manifestKey(manifest);
    if (isOverridden(manifest, overrides)) {
      // So that it is looked at as soon as the override goes.
      spread.failed(key);
      return undefined;
    }
    try {
      const trouble = this.#due.has(key) ? await this.#apply(manifest) : this.#watchedTrouble(manifest);
      if (trouble !== undefined && !isClusterOperator(manifest)) spread.failed(key);
      return trouble && { trouble, isError: false };
    } catch (error) {
      if (signal.aborted) throw error;
      if (isKindMissing(error) && isOptional(manifest)) {
        // Asked for again at its turn: the API may appear at any time.
        spread.verified(key, contentOf(manifest));
        return undefined;
      }
      spread.failed(key);
      if (isKindMissing(error)) this.#doubtDefinitions();
      const place = { manifest, index: this.#indexOf.get(manifest) ?? 0, total: this.#total };
      return { trouble: troubleOfError(place, error), isError: true };
    }
  }

  /** Somebody may have deleted one: they are not to wait for their turn. */
  #doubtDefinitions(): void {
    for (const manifest of this.#spec.payload.manifests) {
      if (manifest.object.kind === "CustomResourceDefinition") this.#deps.memory.spread.failed(manifestKey(manifest));
    }
  }

  async #apply(manifest: PayloadManifest): Promise<Trouble | undefined> {
    const { mayExist, signal } = this.#spec;
    const applied = await applyManifest(this.#manifestDeps, manifest, { mayExist, signal });
    this.#deps.memory.spread.verified(manifestKey(manifest), contentOf(manifest));
    if ("object" in applied) return this.#health(manifest, applied.object);
    if (applied.lingers) {
      this.#lingering.push(manifestName(manifest));
      this.#deps.memory.spread.failed(manifestKey(manifest));
    }
    return undefined;
  }

  #health(manifest: PayloadManifest, object: KubernetesObject): Trouble | undefined {
    if (isClusterOperator(manifest)) return this.#watchedTrouble(manifest);
    const trouble = objectTrouble(object);
    if (trouble === undefined || this.#spec.mode !== "reconciling") return trouble;
    return isFailing(trouble) ? trouble : undefined;
  }

  /** ClusterOperators are watched: a look at them costs nothing, so that it is taken in every pass. */
  #watchedTrouble(manifest: PayloadManifest): Trouble | undefined {
    if (!isClusterOperator(manifest) || isDeletion(manifest)) return undefined;
    const expected = manifest.object as ClusterOperator;
    return clusterOperatorTrouble(expected, this.#deps.findClusterOperator(expected.metadata.name ?? ""));
  }
}

/** What comes after a Job relies on it. */
function isBarrier(reason: string): boolean {
  return reason.startsWith("Job");
}

function contentOf({ object }: PayloadManifest): string {
  return specHash(object);
}
