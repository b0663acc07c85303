import type { InformerFactory } from "@stowage/kube";
import {
  type ClusterCSIDriver,
  clusterCSIDrivers,
  type KubernetesObject,
  type OperatorSpec,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { applyObject, createOperatorClient, type OperatorClient, type OperatorController } from "@stowage/operator";
import { vi } from "vitest";
import { createDriverResource, driverName, ensureOperatorCrds, type KitBench, startKitBench } from "./kit-bench.ts";

/** An operator of a driver before the real API server: its resource, its informers, and what its controllers are made with. */
export interface OperatorBench extends AsyncDisposable {
  readonly kit: KitBench;
  readonly operator: OperatorClient<ClusterCSIDriver>;
  readonly informers: InformerFactory;
  readonly deps: ReturnType<typeof depsOf>;
  /** Runs until the end. */
  start(controller: OperatorController): void;
  readDriver(): Promise<ClusterCSIDriver | undefined>;
  /** `FooAvailable=True/Reason`, sorted. */
  conditions(): Promise<string[]>;
}

export async function startOperatorBench(spec: OperatorSpec = {}): Promise<OperatorBench> {
  const kit = await startKitBench();
  await ensureOperatorCrds(kit);
  await createDriverResource(kit, spec);
  const { client } = kit.deps;
  const { promise, resolve } = Promise.withResolvers<readonly [InformerFactory, OperatorClient<ClusterCSIDriver>]>();
  await kit.startInformers((factory) => {
    const type = clusterCSIDrivers;
    const made = createOperatorClient({ client, informers: factory, type, name: driverName, clock: systemClock });
    resolve([factory, made]);
  });
  const [informers, operator] = await promise;
  const stop = new AbortController();
  const running: Promise<void>[] = [];
  kit.requests.length = 0;
  const readDriver = () => kit.client.find(clusterCSIDrivers, { name: driverName });
  return {
    kit,
    operator,
    informers,
    deps: depsOf(kit, operator, informers),
    start: (controller) => void running.push(controller.run(stop.signal)),
    readDriver,
    async conditions() {
      const { status } = (await readDriver()) ?? {};
      return (status?.conditions ?? [])
        .map(({ type, status: is, reason }) => `${type}=${is}/${reason ?? ""}`)
        .toSorted();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.all(running);
      await kit[Symbol.asyncDispose]();
    },
  };
}

function depsOf(kit: KitBench, operator: OperatorClient<ClusterCSIDriver>, informers: InformerFactory) {
  const { client, events } = kit.deps;
  return { client, mapper: kit.mapper, events, operator, informers, clock: systemClock, logger: silentLogger };
}

/** OpenShift's own resources, which a plain Kubernetes does not have. */
export async function installPlatformCrds({ deps, client, mapper }: KitBench): Promise<void> {
  for (const definition of platformCrds) await applyObject(deps, definition);
  await vi.waitFor(
    async () => {
      mapper.invalidate();
      for (const { spec } of platformCrds) {
        const { group, names } = spec;
        const type = await mapper.resourceFor({ group, kind: names.kind });
        await client.list<KubernetesObject>(type);
      }
    },
    { timeout: 30_000, interval: 100 },
  );
}
