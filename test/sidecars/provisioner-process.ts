// A provisioner in a process of its own, for tests that kill it: node provisioner-process.ts <JSON of ProcessSettings>
import { createCsiClient } from "@stowage/csi";
import {
  createClient,
  createEventBroadcaster,
  createInformerFactory,
  createTransport,
  loadKubeconfig,
} from "@stowage/kube";
import { systemClock as clock, silentLogger as logger } from "@stowage/machinery";
import { readDriverProfile } from "@stowage/sidecars";
import {
  createProvisioner,
  type ProvisionerOptions,
  provisionerDefaults,
} from "../../packages/sidecars/src/provisioner/index.ts";

export interface ProcessSettings {
  readonly kubeconfig: string;
  readonly endpoint: string;
  readonly namespace: string;
  readonly options: Partial<ProvisionerOptions>;
}

async function run({ kubeconfig, endpoint, namespace, options }: ProcessSettings): Promise<void> {
  const connection = await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" });
  const client = createClient({ transport: createTransport(connection, { logger }), logger });
  const csi = createCsiClient({ endpoint, logger });
  await csi.waitForReady({ timeoutMs: 20_000 });
  const informers = createInformerFactory({ client, logger });
  const broadcaster = createEventBroadcaster({ client, logger });
  const events = broadcaster.recorder({ component: "provisioner-process" });
  const driver = await readDriverProfile(csi);
  const deps = { client, informers, csi, driver, events, clock, logger };
  const sidecar = createProvisioner(deps, { ...provisionerDefaults, namespace, ...options });
  const { signal } = new AbortController();
  const background = Promise.all([informers.run(signal), broadcaster.run(signal)]);
  await informers.waitForSync({ timeoutMs: 20_000 });
  await Promise.all([sidecar.run(signal), background]);
}

await run(JSON.parse(process.argv[2] ?? "{}"));
