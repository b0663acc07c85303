import { type ConfigMap, configMaps } from "@stowage/machinery";
import { type Informer, type InformerHandler, keyOf, type ObjectReader } from "../informers/index.ts";

/** An informer whose watch events a test makes up. */
export class FakeInformer implements Informer<ConfigMap> {
  readonly type = configMaps;
  readonly hasSynced = true;
  readonly #objects = new Map<string, ConfigMap>();
  readonly #handlers = new Set<InformerHandler<ConfigMap>>();

  readonly objects: ObjectReader<ConfigMap> = {
    size: 0,
    get: (ref) => this.#objects.get(keyOf(ref)),
    getByKey: (key) => this.#objects.get(key),
    list: () => [...this.#objects.values()],
    keys: () => this.#objects.keys(),
    byIndex: () => [],
  };

  health() {
    return { isSynced: true, isConnected: true, lastError: undefined };
  }

  addHandler(handler: InformerHandler<ConfigMap>) {
    this.#handlers.add(handler);
    return { hasSynced: true, remove: () => void this.#handlers.delete(handler) };
  }

  addIndex(): void {}
  async waitForSync(): Promise<void> {}
  async run(): Promise<void> {}

  set(name: string, data: Record<string, string> = {}, isInInitialList = false): void {
    const previous = this.#objects.get(name);
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data } as const;
    this.#objects.set(name, object);
    for (const handler of this.#handlers) {
      handler.onKey?.(name);
      if (previous === undefined) handler.onAdd?.(object, { isInInitialList });
      else handler.onUpdate?.(object, previous);
    }
  }

  resync(): void {
    for (const [name, object] of this.#objects) {
      for (const handler of this.#handlers) {
        handler.onKey?.(name);
        handler.onUpdate?.(object, object);
      }
    }
  }

  delete(name: string): void {
    const object = this.#objects.get(name) as ConfigMap;
    this.#objects.delete(name);
    for (const handler of this.#handlers) {
      handler.onKey?.(name);
      handler.onDelete?.(object, { isFinalStateUnknown: false });
    }
  }
}
