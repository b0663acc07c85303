import type { CsiClient } from "@stowage/csi";
import { createEventBroadcaster, createInformerFactory } from "@stowage/kube";
import { silentLogger, systemClock } from "@stowage/machinery";
import {
  attacherDefaults,
  createAttacher,
  createProvisioner,
  createResizer,
  provisionerDefaults,
  readDriverProfile,
  resizerDefaults,
  type Sidecar,
  type SidecarDeps,
} from "@stowage/sidecars";
import { connected } from "../../cluster/embedded-scenarios/clusters.ts";
import type { NodeCluster } from "./clusters.ts";
import type { SidecarName } from "./scenario.ts";

interface Place {
  readonly cluster: NodeCluster;
  readonly csi: CsiClient;
  readonly namespace: string;
}

const makers: Readonly<Record<SidecarName, (deps: SidecarDeps, namespace: string) => Sidecar>> = {
  provisioner: (deps, namespace) => createProvisioner(deps, { ...provisionerDefaults, namespace }),
  attacher: (deps) => createAttacher(deps, attacherDefaults),
  resizer: (deps) => createResizer(deps, resizerDefaults),
};

/** Our sidecars, in this process, until the stack is disposed of. */
export async function runSidecars(stack: AsyncDisposableStack, place: Place, names: readonly SidecarName[]) {
  if (names.length === 0) return;
  const { cluster, csi, namespace } = place;
  const client = await connected(stack, cluster.kubeconfigPath, "sidecars");
  const driver = await readDriverProfile(csi);
  const shared = { client, clock: systemClock, logger: silentLogger };
  const informers = createInformerFactory(shared);
  const broadcaster = createEventBroadcaster(shared);
  const events = broadcaster.recorder({ component: driver.name });
  const sidecars = names.map((name) => makers[name]({ ...shared, informers, csi, driver, events }, namespace));
  const stop = new AbortController();
  const running = Promise.all([...sidecars, informers, broadcaster].map((part) => part.run(stop.signal)));
  running.catch(() => {});
  stack.defer(async () => {
    stop.abort();
    await running;
  });
}
