import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createCsiClient, serveDriver } from "@stowage/csi";
import { createMockDriver, type MockControl, type MockDriverOptions } from "@stowage/drivers";
import {
  type ConnectionConfig,
  createClient,
  createEventBroadcaster,
  createInformerFactory,
  createTransport,
  type KubeClient,
  loadKubeconfig,
} from "@stowage/kube";
import {
  clusterRoleBindings,
  clusterRoles,
  events as eventType,
  type KubernetesObject,
  type Logger,
  namespaces,
  randomSuffix,
  roleBindings,
  roles,
  silentLogger,
  systemClock,
} from "@stowage/machinery";
import { type RoleRules, readDriverProfile, type Sidecar, type SidecarDeps } from "@stowage/sidecars";
import { inject } from "vitest";

export interface BenchOptions {
  readonly driver?: Partial<MockDriverOptions>;
  /** The sidecars act with exactly these rights; as the administrator when left out. */
  readonly rules?: readonly RoleRules[];
  readonly logger?: Logger;
  /** Stands between the sidecars, their caches included, and the API server. */
  readonly between?: (client: KubeClient) => KubeClient;
  readonly sidecars: (deps: SidecarDeps, bench: { readonly namespace: string }) => Sidecar | readonly Sidecar[];
}

/** Sidecars at work in this process, between a mock driver of their own and the real control plane. */
export interface SidecarBench extends AsyncDisposable {
  readonly client: KubeClient;
  /** A fresh namespace. */
  readonly namespace: string;
  readonly driverName: string;
  readonly driver: MockControl;
  readonly deps: SidecarDeps;
  /** `Warning ProvisioningFailed …`, oldest first, of one object as the API server has them. */
  eventLines(object: KubernetesObject): Promise<string[]>;
  /** Stops the sidecars as when their process ends in order; the driver stays. */
  stopSidecars(): Promise<void>;
  /** Makes and runs sidecars anew, on caches of their own, as a new process would. */
  startSidecars(sidecars?: BenchOptions["sidecars"]): Promise<void>;
}

export async function startSidecarBench(options: BenchOptions): Promise<SidecarBench> {
  const logger = options.logger ?? silentLogger;
  const suffix = randomSuffix(Math.random);
  const driverName = options.driver?.name ?? `mock-${suffix}.csi.test`;
  const folder = await mkdtemp(join(tmpdir(), "bench-"));
  const endpoint = `unix://${join(folder, "csi.sock")}`;
  const mock = createMockDriver({ nodeId: "node-1", attachableNodes: "any", ...options.driver, name: driverName });
  const stopDriver = new AbortController();
  const driverEnded = serveDriver(mock.driver, { endpoint, logger, drainTimeoutMs: 0 }, stopDriver.signal);
  const admin = await loadKubeconfig({ path: inject("kubeconfig"), env: {}, homeDir: folder });
  const adminTransport = createTransport(admin, { logger });
  const client = createClient({ transport: adminTransport, logger });
  const namespace = `bench-${suffix}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const acting = options.rules === undefined ? admin : await actAs(client, admin, { namespace, rules: options.rules });
  let running: RunningSidecars | undefined;
  const startSidecars = async (sidecars = options.sidecars) => {
    const place = { connection: acting, endpoint, logger, driverName, between: options.between };
    running = await runSidecars(place, (deps) => sidecars(deps, { namespace }));
  };
  await startSidecars();
  return {
    client,
    namespace,
    driverName,
    driver: mock.control,
    get deps() {
      return (running as RunningSidecars).deps;
    },
    eventLines: (object) => eventLines(client, object),
    stopSidecars: async () => running?.stop(),
    startSidecars,
    async [Symbol.asyncDispose]() {
      await running?.stop();
      stopDriver.abort();
      await driverEnded;
      await client.delete(namespaces, { name: namespace });
      adminTransport.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface RunningSidecars {
  readonly deps: SidecarDeps;
  stop(): Promise<void>;
}

interface Place {
  readonly connection: ConnectionConfig;
  readonly endpoint: string;
  readonly logger: Logger;
  readonly driverName: string;
  readonly between: BenchOptions["between"];
}

async function runSidecars(
  { connection, endpoint, logger, driverName, between }: Place,
  make: (deps: SidecarDeps) => Sidecar | readonly Sidecar[],
): Promise<RunningSidecars> {
  const transport = createTransport(connection, { logger });
  const direct = createClient({ transport, logger });
  const client = between?.(direct) ?? direct;
  const csi = createCsiClient({ endpoint, logger });
  await csi.waitForReady({ timeoutMs: 20_000 });
  const informers = createInformerFactory({ client, logger });
  const broadcaster = createEventBroadcaster({ client, logger });
  const events = broadcaster.recorder({ component: `${driverName}_test` });
  const driver = await readDriverProfile(csi);
  const deps: SidecarDeps = { client, informers, csi, driver, events, clock: systemClock, logger };
  const sidecars = [make(deps)].flat();
  const stop = new AbortController();
  const background = Promise.all([informers.run(stop.signal), broadcaster.run(stop.signal)]);
  await informers.waitForSync({ timeoutMs: 20_000 });
  const stopSidecars = new AbortController();
  const ended = Promise.all(sidecars.map((sidecar) => sidecar.run(stopSidecars.signal)));
  // A sidecar that fails must fail the test, not be noticed at the end.
  ended.catch((error: unknown) => {
    setImmediate(() => {
      throw error;
    });
  });
  return {
    deps,
    async stop() {
      stopSidecars.abort();
      await ended;
      stop.abort();
      await background;
      csi.close();
      transport.close();
    },
  };
}

/** Another user with these rights and no others. */
async function actAs(
  client: KubeClient,
  admin: ConnectionConfig,
  { namespace, rules }: { namespace: string; rules: readonly RoleRules[] },
): Promise<ConnectionConfig> {
  const user = `system:serviceaccount:${namespace}:sidecars`;
  const subjects = [{ kind: "User", name: user, apiGroup: "rbac.authorization.k8s.io" }];
  const apiGroup = "rbac.authorization.k8s.io";
  const metadata = { name: namespace };
  await client.create(clusterRoles, { metadata, rules: rules.flatMap(({ cluster }) => [...cluster]) });
  await client.create(clusterRoleBindings, {
    metadata,
    subjects,
    roleRef: { apiGroup, kind: "ClusterRole", name: namespace },
  });
  await client.create(roles, {
    metadata: { ...metadata, namespace },
    rules: rules.flatMap(({ namespaced }) => [...namespaced]),
  });
  await client.create(roleBindings, {
    metadata: { ...metadata, namespace },
    subjects,
    roleRef: { apiGroup, kind: "Role", name: namespace },
  });
  const impersonate = { user, groups: ["system:authenticated"], extra: {} };
  return { ...admin, credentials: { ...admin.credentials, impersonate } };
}

async function eventLines(client: KubeClient, object: KubernetesObject): Promise<string[]> {
  const { items } = await client.list(eventType, {
    namespace: object.metadata.namespace ?? "default",
    fieldSelector: `involvedObject.uid=${object.metadata.uid}`,
  });
  const at = (event: (typeof items)[number]) => event.firstTimestamp ?? event.eventTime ?? "";
  return items
    .toSorted((a, b) => at(a).localeCompare(at(b)))
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
}
