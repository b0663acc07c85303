import type { Store } from "../../store/index.ts";
import { resourcePrefixOf } from "../object-key.ts";
import { ChangeView } from "./change-view.ts";
import { SharedBacklog } from "./shared-backlog.ts";

interface Watcher {
  /** Told of every change of the resource, also of what it has not asked for. Must not throw. */
  offer(view: ChangeView): void;
}

/** Brings every change to those who watch its resource, looked at once for all of them. There is one for each store. */
export class WatchHub implements Disposable {
  /** What waits for all of them. */
  readonly backlog = new SharedBacklog();
  readonly #watchers = new Map<string, Set<Watcher>>();
  readonly #subscription: Disposable | undefined;

  constructor(store: Store) {
    this.#subscription = store.watch(store.revision, (changes) => {
      for (const change of changes) {
        const watchers = this.#watchers.get(resourcePrefixOf(change.key));
        if (watchers === undefined) continue;
        const view = new ChangeView(change);
        for (const watcher of watchers) watcher.offer(view);
      }
    });
  }

  get size(): number {
    return this.#watchers.values().reduce((sum, { size }) => sum + size, 0);
  }

  /** From the next change on. The prefix is that of the whole resource. */
  add(prefix: string, watcher: Watcher): Disposable {
    const watchers = this.#watchers.get(prefix) ?? new Set();
    this.#watchers.set(prefix, watchers.add(watcher));
    return {
      [Symbol.dispose]: () => {
        watchers.delete(watcher);
        if (watchers.size === 0 && this.#watchers.get(prefix) === watchers) this.#watchers.delete(prefix);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#subscription?.[Symbol.dispose]();
    this.#watchers.clear();
  }
}
