import { tmpdir } from "node:os";
import {
  createClient,
  createInformerFactory,
  createRestMapper,
  createTransport,
  type InformerFactory,
  isNotFound,
  type KubeClient,
  loadKubeconfig,
  type RestMapper,
} from "@stowage/kube";
import {
  type ClusterCSIDriver,
  clusterCSIDrivers,
  type KubernetesObject,
  namespaces,
  type OperatorSpec,
  type ResourceType,
  randomSuffix,
  storages,
} from "@stowage/machinery";
import { storageOperatorCrds } from "@stowage/machinery/openshift-crds";
import { type ApplyDeps, applyObject, type OperatorEvents } from "@stowage/operator";
import { inject, vi } from "vitest";
import { countingClient } from "../../sidecars/request-counter.ts";

/** The operator kit before the real API server, as the administrator. */
export interface KitBench extends AsyncDisposable {
  readonly client: KubeClient;
  readonly mapper: RestMapper;
  /** A fresh namespace. */
  readonly namespace: string;
  readonly suffix: string;
  /** Every request that the kit made, as `update configmaps`. */
  readonly requests: string[];
  /** `Normal ConfigMapCreated …`. */
  readonly eventLines: string[];
  readonly deps: ApplyDeps & { readonly client: KubeClient; readonly events: OperatorEvents };
  /** Informers that run until the end. */
  startInformers(prepare: (informers: InformerFactory) => void): Promise<void>;
  /** Deleted at the end. */
  willDelete(type: ResourceType, name: string): void;
}

export async function startKitBench(): Promise<KitBench> {
  const connection = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: tmpdir() });
  const transport = createTransport(connection);
  const client = createClient({ transport });
  const suffix = randomSuffix(Math.random);
  const namespace = `kit-${suffix}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const requests: string[] = [];
  const eventLines: string[] = [];
  const events: OperatorEvents = {
    normal: (reason, message) => void eventLines.push(`Normal ${reason} ${message}`),
    warning: (reason, message) => void eventLines.push(`Warning ${reason} ${message}`),
  };
  const mapper = createRestMapper({ client });
  const counted = countingClient(client, requests);
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  const doomed: { type: ResourceType; name: string }[] = [{ type: namespaces, name: namespace }];
  return {
    client,
    mapper,
    namespace,
    suffix,
    requests,
    eventLines,
    deps: { client: counted, mapper, events, known: new Set() },
    async startInformers(prepare) {
      const informers = createInformerFactory({ client });
      prepare(informers);
      running.push(informers.run(stop.signal));
      await informers.waitForSync({ timeoutMs: 20_000 });
    },
    willDelete: (type, name) => void doomed.push({ type, name }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
      for (const { type, name } of doomed.toReversed()) await removeWhole(client, type, name);
      transport.close();
    },
  };
}

async function removeWhole(client: KubeClient, type: ResourceType, name: string): Promise<void> {
  try {
    const existing = await client.find(type, { name });
    if (existing?.metadata.finalizers !== undefined && type !== namespaces) {
      await client.patch(type, { name }, { type: "merge", patch: { metadata: { finalizers: null } } });
    }
    await client.delete(type, { name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** The resources of operators, made by the kit itself; tests share one API server, and any of them may be the first. */
export async function ensureOperatorCrds({ deps, client, mapper }: KitBench): Promise<void> {
  for (const definition of storageOperatorCrds) await applyObject(deps, definition);
  // Discovery knows a definition when it is established, and its objects can be listed a moment later.
  await vi.waitFor(
    async () => {
      mapper.invalidate();
      for (const type of [clusterCSIDrivers, storages]) {
        await mapper.resourceFor(type);
        await client.list<KubernetesObject>(type);
      }
    },
    { timeout: 30_000, interval: 100 },
  );
}

export const driverName = "secrets-store.csi.k8s.io";

/** A ClusterCSIDriver for an operator to have; deleted at the end. */
export async function createDriverResource(bench: KitBench, spec: OperatorSpec = {}): Promise<ClusterCSIDriver> {
  bench.willDelete(clusterCSIDrivers, driverName);
  await removeWhole(bench.client, clusterCSIDrivers, driverName);
  return bench.client.create(clusterCSIDrivers, {
    metadata: { name: driverName },
    spec: { managementState: "Managed", ...spec },
  });
}

/** What is on the server now. */
export async function readBack<T extends KubernetesObject>(bench: KitBench, object: T): Promise<T> {
  const { apiVersion, kind, metadata } = object;
  const [version = "", group = ""] = apiVersion.split("/").toReversed();
  const type = await bench.mapper.resourceFor({ group, version, kind });
  const ref = type.namespaced
    ? { name: metadata.name ?? "", namespace: metadata.namespace }
    : { name: metadata.name ?? "" };
  return (await bench.client.get(type, ref)) as T;
}
