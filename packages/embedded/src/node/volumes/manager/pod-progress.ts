/** How far the volumes of a Pod have come, by the names that it gives them. */
export class PodProgress {
  readonly #unmounted: Set<string>;
  /** Those that a controller has to attach first. */
  readonly #unattached = new Set<string>();
  /** Those of which it is not even known what they are. */
  readonly #unprocessed: Set<string>;

  constructor(names: readonly string[]) {
    this.#unmounted = new Set(names);
    this.#unprocessed = new Set(names);
  }

  get isDone(): boolean {
    return this.#unmounted.size === 0;
  }

  processed(name: string): void {
    this.#unprocessed.delete(name);
  }

  waitsForAttach(name: string): void {
    this.#unattached.add(name);
  }

  attached(name: string): void {
    this.#unattached.delete(name);
  }

  mounted(name: string): void {
    this.#unmounted.delete(name);
  }

  /** As kubelet tells it. */
  message(why: string): string {
    const [unmounted, unattached, failed] = [this.#unmounted, this.#unattached, this.#unprocessed].map(listed);
    const lists = `unmounted volumes=${unmounted}, unattached volumes=${unattached}, failed to process volumes=${failed}`;
    return `Unable to attach or mount volumes: ${lists}: ${why}`;
  }
}

/** As Go writes a list. */
function listed(names: ReadonlySet<string>): string {
  return `[${[...names].toSorted((a, b) => (a < b ? -1 : 1)).join(" ")}]`;
}
