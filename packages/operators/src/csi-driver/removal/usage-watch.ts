import { createInformerFactory, type Informer, type KubeClient, type RestMapper } from "@stowage/kube";
import type { Clock, KubernetesObject, Logger } from "@stowage/machinery";
import { type Holder, holdersOf } from "./holders.ts";
import { type UsageKind, type UsageName, type UsageObjects, usageKinds } from "./usage-kinds.ts";

export interface UsageWatchDeps {
  readonly client: Pick<KubeClient, "watch" | "listAll" | "server">;
  readonly mapper: Pick<RestMapper, "has">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Follows everything that may use a driver, of all namespaces: only while somebody wants to remove it. */
export interface UsageWatch {
  /** Rejects when not all of it is known within the time. */
  holders(signal: AbortSignal): Promise<Holder[]>;
  stop(): Promise<void>;
}

/** Long enough for a hundred thousand Pods; then the failure is told, and it is tried again. */
const SYNC_TIMEOUT_MS = 60_000;

/** `onChange` is called at any change that may make a difference. */
export async function startUsageWatch(
  deps: UsageWatchDeps,
  driverName: string,
  onChange: () => void,
): Promise<UsageWatch> {
  const served = await servedKinds(deps);
  const stop = new AbortController();
  const informers = createInformerFactory(deps);
  const copies = new Map<UsageName, Informer<KubernetesObject>>();
  for (const name of served) {
    const kind = usageKinds[name] as UsageKind;
    const informer = informers.informer(kind.type, { transform: onlyWhatMatters(kind, driverName) });
    const look = (object: KubernetesObject) => kind.matters(object, driverName) && onChange();
    informer.addHandler({ onAdd: look, onDelete: look, onUpdate: (now, before) => look(now) || look(before) });
    copies.set(name, informer);
  }
  const running = informers.run(stop.signal);
  return {
    async holders(signal) {
      await informers.waitForSync({ timeoutMs: SYNC_TIMEOUT_MS, signal });
      const objectsOf = (name: UsageName) =>
        (copies.get(name)?.objects.list() ?? []).filter((each) => usageKinds[name].matters(each as never, driverName));
      const names = Object.keys(usageKinds) as UsageName[];
      const objects = Object.fromEntries(names.map((name) => [name, objectsOf(name)]));
      return holdersOf(driverName, objects as unknown as UsageObjects);
    },
    async stop() {
      stop.abort();
      await running;
    },
  };
}

/** Fails while that cannot be told: what is not known must not be taken for unused. */
async function servedKinds({ mapper }: UsageWatchDeps): Promise<UsageName[]> {
  const names = Object.keys(usageKinds) as UsageName[];
  const isServed = async (name: UsageName) => {
    const { isOptional, type } = usageKinds[name];
    return !isOptional || mapper.has(type);
  };
  const answers = await Promise.all(names.map(isServed));
  return names.filter((_, index) => answers[index]);
}

function onlyWhatMatters(kind: UsageKind, driverName: string) {
  return (object: KubernetesObject): KubernetesObject => {
    if (kind.matters(object, driverName)) return object;
    const { name, namespace, uid, resourceVersion } = object.metadata;
    return { apiVersion: object.apiVersion, kind: object.kind, metadata: { name, namespace, uid, resourceVersion } };
  };
}
