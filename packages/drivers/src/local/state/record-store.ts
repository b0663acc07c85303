import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Logger, StowageError } from "@stowage/machinery";
import type { FaultPoint } from "../fault-points.ts";
import { moveDurably, removeDurably, temporarySuffix, writeDurably } from "./durable-file.ts";
import { DamagedRecordError, decodeRecord, encodeRecord, NewerRecordError } from "./record-file.ts";

export interface RecordStoreOptions {
  readonly kind: string;
  readonly directory: string;
  /** Where damaged files are kept aside; shared by the stores, so file names there begin with the kind. */
  readonly brokenDirectory: string;
  readonly faultPoint: FaultPoint;
  readonly logger: Logger;
}

/** The records of one kind: a file each, all of them in memory. Disk first, so that memory never promises what disk lacks. */
export class RecordStore<R extends { readonly id: string }> {
  readonly #options: RecordStoreOptions;
  readonly #records = new Map<string, R>();
  readonly #broken = new Map<string, string>();

  private constructor(options: RecordStoreOptions) {
    this.#options = options;
  }

  static async open<R extends { readonly id: string }>(options: RecordStoreOptions): Promise<RecordStore<R>> {
    const store = new RecordStore<R>(options);
    await mkdir(options.directory, { recursive: true });
    await mkdir(options.brokenDirectory, { recursive: true });
    await store.#load();
    return store;
  }

  get(id: string): R | undefined {
    return this.#records.get(id);
  }

  find(matches: (record: R) => boolean): R | undefined {
    return this.#records.values().find(matches);
  }

  /** In the order of their ids, which pages rely on. */
  list(): R[] {
    return [...this.#records.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** Ids of damaged records, with the file that was kept. */
  broken(): ReadonlyMap<string, string> {
    return this.#broken;
  }

  async put(record: R): Promise<void> {
    const { kind, faultPoint } = this.#options;
    await writeDurably(this.#pathOf(record.id), encodeRecord(kind, record), faultPoint);
    this.#records.set(record.id, record);
  }

  async remove(id: string): Promise<void> {
    await removeDurably(this.#pathOf(id), this.#options.faultPoint);
    this.#records.delete(id);
  }

  #pathOf(id: string): string {
    return join(this.#options.directory, `${id}.json`);
  }

  async #load(): Promise<void> {
    const { directory, brokenDirectory, kind } = this.#options;
    const keptPrefix = `${kind}-`;
    for (const name of await readdir(brokenDirectory)) {
      if (name.startsWith(keptPrefix))
        this.#broken.set(idOf(name.slice(keptPrefix.length)), join(brokenDirectory, name));
    }
    for (const name of await readdir(directory)) {
      if (name.endsWith(temporarySuffix)) await rm(join(directory, name), { force: true });
      else await this.#loadFile(name);
    }
  }

  async #loadFile(name: string): Promise<void> {
    const { directory, kind } = this.#options;
    const path = join(directory, name);
    const id = idOf(name);
    try {
      const record = decodeRecord(kind, await readFile(path, "utf8")) as R;
      if (record.id !== id) throw new DamagedRecordError(`the file is named ${id} and describes ${record.id}`);
      this.#records.set(id, record);
      // A record that was put back by hand is whole again.
      this.#broken.delete(id);
    } catch (error) {
      if (error instanceof NewerRecordError) {
        throw new StowageError("LOCAL_STATE_NEWER", `The state file ${path} cannot be used: ${error.message}.`);
      }
      if (!(error instanceof DamagedRecordError)) throw error;
      await this.#keepAside(path, id, error.message);
    }
  }

  async #keepAside(path: string, id: string, reason: string): Promise<void> {
    const { kind, brokenDirectory, faultPoint, logger } = this.#options;
    const kept = join(brokenDirectory, `${kind}-${id}.json`);
    await moveDurably(path, kept, faultPoint);
    this.#broken.set(id, kept);
    logger.error({ kind, id, reason, kept }, "a state file is damaged; it was kept aside and the others are served");
  }
}

function idOf(fileName: string): string {
  return fileName.replace(/\.json$/, "");
}
