import { type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";

/**
 * Says when something changes in a folder, also when the folder itself goes and comes back. Changes may be told more than
 * once, or missed where the system has no watches left: whoever listens looks for itself, and at times without being told.
 */
export class FolderWatch {
  readonly #folder: string;
  readonly #onChange: () => void;
  #parentWatcher: FSWatcher | undefined;
  #folderWatcher: FSWatcher | undefined;

  constructor(folder: string, onChange: () => void) {
    this.#folder = folder;
    this.#onChange = onChange;
    this.#watchParent();
    this.#watchFolder();
  }

  close(): void {
    this.#parentWatcher?.close();
    this.#folderWatcher?.close();
  }

  #watchParent(): void {
    const name = basename(this.#folder);
    this.#parentWatcher = tryWatch(dirname(this.#folder), (changed) => {
      if (changed !== name) return;
      // A folder that was made anew is another one to the system, even at the same path.
      this.#watchFolder();
      this.#onChange();
    });
  }

  #watchFolder(): void {
    this.#folderWatcher?.close();
    this.#folderWatcher = tryWatch(this.#folder, this.#onChange);
  }
}

function tryWatch(path: string, onChange: (name: string | null) => void): FSWatcher | undefined {
  try {
    const watcher = watch(path, (_, name) => onChange(name));
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    // Not there at present, or no watches left: the caller looks from time to time anyway.
    return undefined;
  }
}
