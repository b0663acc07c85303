import { randomUUID } from "node:crypto";
import { Collection } from "./collection.ts";
import { readStateFile, writeStateFile } from "./state-file.ts";
import type { MockGroupSnapshot, MockSnapshot, MockVolume } from "./volume.ts";

interface BackendState {
  readonly lastSequence: number;
  readonly volumes: readonly MockVolume[];
  readonly snapshots: readonly MockSnapshot[];
  readonly groupSnapshots: readonly MockGroupSnapshot[];
}

const EMPTY: BackendState = { lastSequence: 0, volumes: [], snapshots: [], groupSnapshots: [] };

/** The storage system that the driver pretends to drive. With a file it outlives the driver, as a cloud does. */
export class Backend {
  readonly volumes: Collection<MockVolume>;
  readonly snapshots: Collection<MockSnapshot>;
  readonly groupSnapshots: Collection<MockGroupSnapshot>;
  readonly #file: string | undefined;
  #lastSequence: number;

  constructor(file?: string) {
    const state = ((file && readStateFile(file)) as BackendState | undefined) ?? EMPTY;
    const save = () => this.#save();
    this.#file = file;
    this.#lastSequence = state.lastSequence;
    this.volumes = new Collection(save, state.volumes);
    this.snapshots = new Collection(save, state.snapshots);
    this.groupSnapshots = new Collection(save, state.groupSnapshots);
  }

  /** What every new object is given. */
  newIdentity(prefix: string): { id: string; sequence: number } {
    this.#lastSequence += 1;
    return { id: `${prefix}-${randomUUID()}`, sequence: this.#lastSequence };
  }

  get lastSequence(): number {
    return this.#lastSequence;
  }

  usedBytes(): bigint {
    return this.volumes.list().reduce((sum, { capacityBytes }) => sum + capacityBytes, 0n);
  }

  attachedTo(nodeId: string): MockVolume[] {
    return this.volumes.list().filter(({ attachments }) => attachments[nodeId] !== undefined);
  }

  toState(): BackendState {
    return {
      lastSequence: this.#lastSequence,
      volumes: this.volumes.list(),
      snapshots: this.snapshots.list(),
      groupSnapshots: this.groupSnapshots.list(),
    };
  }

  /** Before the answer is given: what was confirmed must not be forgotten. */
  #save(): void {
    if (this.#file !== undefined) writeStateFile(this.#file, this.toState());
  }
}
