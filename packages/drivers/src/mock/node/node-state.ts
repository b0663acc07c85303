import { readStateFile, writeStateFile } from "../backend/state-file.ts";
import type { Attachment } from "../backend/volume.ts";

/** A volume at a path of this node. */
export interface Mount {
  readonly volumeId: string;
  readonly path: string;
  readonly kind: "staged" | "published";
  readonly use: Attachment;
  readonly capacityBytes: bigint;
}

/** What is staged and published on this node; with a file it is known again after a restart of the driver. */
export class NodeState {
  readonly #mounts: Map<string, Mount>;
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    const kept = (file && readStateFile(file)) as { readonly mounts: readonly Mount[] } | undefined;
    this.#mounts = new Map(kept?.mounts.map((mount) => [keyOf(mount), mount]));
  }

  get(kind: Mount["kind"], volumeId: string, path: string): Mount | undefined {
    return this.#mounts.get(keyOf({ kind, volumeId, path }));
  }

  of(volumeId: string): Mount[] {
    return this.list().filter((mount) => mount.volumeId === volumeId);
  }

  list(): Mount[] {
    return [...this.#mounts.values()];
  }

  put(mount: Mount): void {
    this.#mounts.set(keyOf(mount), mount);
    this.#save();
  }

  remove(mount: Mount): void {
    this.#mounts.delete(keyOf(mount));
    this.#save();
  }

  #save(): void {
    if (this.#file !== undefined) writeStateFile(this.#file, { mounts: this.list() });
  }
}

function keyOf({ kind, volumeId, path }: Pick<Mount, "kind" | "volumeId" | "path">): string {
  return `${kind} ${volumeId} ${path}`;
}
