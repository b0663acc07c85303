import type { PersistentVolume } from "@stowage/machinery";

/** A volume that is attached to a node, or may be. */
export interface ActualAttachment {
  readonly name: string;
  readonly nodeName: string;
  /** Undefined when all that is known comes from a Node's status. */
  volume: PersistentVolume | undefined;
  /** False: something failed half-way, and only trying again tells. */
  isCertain: boolean;
  /** In the Node's status; no longer there once it is to be detached, so that nothing mounts it any more. */
  isReported: boolean;
  /** Since when it is to be detached. */
  unwantedSinceMs: number | undefined;
}

/** Which volumes are attached where, as far as it is known here. */
export class ActualAttachments {
  readonly #byVolume = new Map<string, Map<string, ActualAttachment>>();
  readonly #namesByNode = new Map<string, Set<string>>();
  readonly #inUse = new Map<string, Set<string>>();
  readonly #changedNodes = new Set<string>();
  readonly #onChange: (nodeName: string) => void;

  /** `onChange` is told of a Node whose status is behind. */
  constructor(onChange: (nodeName: string) => void = () => {}) {
    this.#onChange = onChange;
  }

  of(name: string): ActualAttachment[] {
    return [...(this.#byVolume.get(name)?.values() ?? [])];
  }

  get(name: string, nodeName: string): ActualAttachment | undefined {
    return this.#byVolume.get(name)?.get(nodeName);
  }

  attached(name: string, nodeName: string, volume?: PersistentVolume): void {
    const entry = this.#entry(name, nodeName, volume);
    entry.isCertain = true;
    this.report(entry, true);
  }

  uncertain(name: string, nodeName: string, volume?: PersistentVolume): void {
    this.#entry(name, nodeName, volume).isCertain = false;
  }

  detached(name: string, nodeName: string): void {
    const nodes = this.#byVolume.get(name);
    const entry = nodes?.get(nodeName);
    if (entry === undefined || nodes === undefined) return;
    this.report(entry, false);
    nodes.delete(nodeName);
    if (nodes.size === 0) this.#byVolume.delete(name);
    this.#namesByNode.get(nodeName)?.delete(name);
  }

  report(entry: ActualAttachment, isReported: boolean): void {
    if (entry.isReported === isReported) return;
    entry.isReported = isReported;
    this.markChanged(entry.nodeName);
  }

  /** In the order of their names. */
  reportedOn(nodeName: string): string[] {
    return this.namesOn(nodeName)
      .filter((name) => this.get(name, nodeName)?.isReported)
      .toSorted();
  }

  namesOn(nodeName: string): string[] {
    return [...(this.#namesByNode.get(nodeName) ?? [])];
  }

  /** Whether the Node's status is behind; asked for once, since it is then brought up to date. */
  takeChanged(nodeName: string): boolean {
    return this.#changedNodes.delete(nodeName);
  }

  markChanged(nodeName: string): void {
    this.#changedNodes.add(nodeName);
    this.#onChange(nodeName);
  }

  setInUse(nodeName: string, names: readonly string[]): void {
    this.#inUse.set(nodeName, new Set(names));
  }

  isInUse({ name, nodeName }: ActualAttachment): boolean {
    return this.#inUse.get(nodeName)?.has(name) ?? false;
  }

  #entry(name: string, nodeName: string, volume: PersistentVolume | undefined): ActualAttachment {
    const nodes = this.#byVolume.get(name) ?? new Map<string, ActualAttachment>();
    this.#byVolume.set(name, nodes);
    const known = nodes.get(nodeName);
    if (known !== undefined) {
      known.volume = volume ?? known.volume;
      return known;
    }
    const entry = { name, nodeName, volume, isCertain: false, isReported: false, unwantedSinceMs: undefined };
    nodes.set(nodeName, entry);
    this.#namesByNode.set(nodeName, (this.#namesByNode.get(nodeName) ?? new Set()).add(name));
    // Taken for mounted until the node says otherwise: what is detached under a mount is lost.
    const inUse = this.#inUse.get(nodeName) ?? new Set<string>();
    this.#inUse.set(nodeName, inUse.add(name));
    return entry;
  }
}
