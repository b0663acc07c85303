import { createInformer, type KubeClient, type NewObject } from "@stowage/kube";
import { type PersistentVolumeClaim, persistentVolumeClaims, silentLogger, systemClock } from "@stowage/machinery";
import { CLASS_NAME } from "./bench-cluster.ts";
import { NAMESPACE } from "./bench-identity.ts";

/** Requests that the bench itself has under way at once. */
const IN_FLIGHT = 50;

export interface BindingTimes {
  /** From the first claim's creation to the last one's binding. */
  readonly totalMs: number;
  /** From its creation to Bound, of each, ascending. */
  readonly latenciesMs: readonly number[];
}

/** Claims whose binding is watched. */
export interface ClaimLoad extends AsyncDisposable {
  /** Creates claims as fast as the server takes them, and resolves when all are bound. */
  bind(prefix: string, count: number): Promise<BindingTimes>;
}

interface Tally {
  readonly createdMs: Map<string, number>;
  readonly boundMs: Map<string, number>;
  done: () => void;
}

export async function startClaimLoad(client: KubeClient, signal: AbortSignal): Promise<ClaimLoad> {
  const tally: Tally = { createdMs: new Map(), boundMs: new Map(), done: () => {} };
  const selection = { namespace: NAMESPACE };
  const informer = createInformer({
    client,
    type: persistentVolumeClaims,
    selection,
    clock: systemClock,
    logger: silentLogger,
  });
  informer.addHandler({ onAdd: (claim) => note(tally, claim), onUpdate: (claim) => note(tally, claim) });
  const stop = new AbortController();
  const running = informer.run(AbortSignal.any([stop.signal, signal]));
  await informer.waitForSync({ signal });
  return {
    bind: (prefix, count) => bind(client, tally, { prefix, count, signal }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
  };
}

function note(tally: Tally, { metadata, status }: PersistentVolumeClaim): void {
  const name = metadata.name ?? "";
  if (status?.phase !== "Bound" || !tally.createdMs.has(name) || tally.boundMs.has(name)) return;
  tally.boundMs.set(name, performance.now());
  if (tally.boundMs.size === tally.createdMs.size) tally.done();
}

interface Load {
  readonly prefix: string;
  readonly count: number;
  readonly signal: AbortSignal;
}

async function bind(client: KubeClient, tally: Tally, { prefix, count, signal }: Load): Promise<BindingTimes> {
  const { promise: allBound, resolve, reject } = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  tally.done = resolve;
  const names = Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
  // All are expected before the first is there: bound are as many as were to be made, not as were made so far.
  for (const name of names) tally.createdMs.set(name, 0);
  const startedMs = performance.now();
  await inParallel(names, async (name) => {
    tally.createdMs.set(name, performance.now());
    await client.create(persistentVolumeClaims, desiredClaim(name), { signal });
  });
  await allBound;
  const latenciesMs = names.map((name) => (tally.boundMs.get(name) ?? 0) - (tally.createdMs.get(name) ?? 0));
  return { totalMs: performance.now() - startedMs, latenciesMs: latenciesMs.toSorted((a, b) => a - b) };
}

function desiredClaim(name: string): NewObject<PersistentVolumeClaim> {
  const resources = { requests: { storage: "1Gi" } };
  return {
    metadata: { namespace: NAMESPACE, name },
    spec: { accessModes: ["ReadWriteOnce"], storageClassName: CLASS_NAME, resources },
  };
}

export async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
}
