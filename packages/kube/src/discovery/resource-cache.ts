import type { Clock, Logger } from "@stowage/machinery";
import type { ServerResources } from "./discovered-resource.ts";

/** While the server is away, nobody waits for it again before this has passed: what is known has to do. */
const PAUSE_AFTER_FAILURE_MS = 10_000;

export interface ResourceCacheDeps {
  readonly load: () => Promise<ServerResources>;
  readonly clock: Clock;
  readonly logger: Logger;
  /** What is older is loaded again before it is used. */
  readonly maximumAgeMs: number;
}

interface Loaded {
  readonly resources: ServerResources;
  /** When the answer came: counted from when it was asked for, a slow server would be asked without a pause. */
  readonly atMs: number;
}

/** Holds what the server has. However many ask at once, one request is under way. */
export class ResourceCache {
  readonly #deps: ResourceCacheDeps;
  #loaded: Loaded | undefined;
  #underWay: Promise<Loaded> | undefined;
  #failedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: ResourceCacheDeps) {
    this.#deps = deps;
  }

  /** What is known, loaded when nothing is or when it is old. Old knowledge is better than none while the server is away. */
  async current(): Promise<ServerResources> {
    const known = this.#loaded;
    if (known === undefined) return (await this.#load()).resources;
    const isFailing = this.#sinceMs(this.#failedAtMs) < PAUSE_AFTER_FAILURE_MS;
    if (isFailing || this.#sinceMs(known.atMs) < this.#deps.maximumAgeMs) return known.resources;
    return await this.#load().then(
      (loaded) => loaded.resources,
      () => known.resources, // Logged once, however many wait for it.
    );
  }

  /** Not older than this. Fails rather than answer with something older. */
  async notOlderThan(ageMs: number): Promise<ServerResources> {
    const known = this.#loaded;
    if (known !== undefined && this.#sinceMs(known.atMs) < ageMs) return known.resources;
    return (await this.#load()).resources;
  }

  invalidate(): void {
    this.#loaded = undefined;
    this.#underWay = undefined;
  }

  #load(): Promise<Loaded> {
    this.#underWay ??= this.#startLoad();
    return this.#underWay;
  }

  #startLoad(): Promise<Loaded> {
    const { load, clock, logger } = this.#deps;
    const request = load().then((resources) => ({ resources, atMs: clock.monotonicMs() }));
    // An answer that was asked for before `invalidate` must not come back as the current one.
    const isCurrent = () => this.#underWay === request;
    request.then(
      (loaded) => {
        if (!isCurrent()) return;
        this.#loaded = loaded;
        this.#underWay = undefined;
      },
      (error: unknown) => {
        if (!isCurrent()) return;
        this.#underWay = undefined;
        this.#failedAtMs = clock.monotonicMs();
        if (this.#loaded === undefined) return;
        logger.warn({ error }, "the server's resources could not be discovered again; those known before are used");
      },
    );
    return request;
  }

  #sinceMs(atMs: number): number {
    return this.#deps.clock.monotonicMs() - atMs;
  }
}
