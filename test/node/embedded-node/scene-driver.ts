import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type CsiClient, createCsiClient, VolumeCapability_AccessMode_Mode as Mode, serveDriver } from "@stowage/csi";
import { createMockDriver } from "@stowage/drivers";
import { csiDrivers, csiNodes, silentLogger } from "@stowage/machinery";
import type { OpenScene } from "../../cluster/embedded-scenarios/scene.ts";
import { registryIn, socketIn } from "../kubelet/driver-flags.ts";
import type { NodeCluster } from "./clusters.ts";
import type { Driver, DriverWish } from "./scenario.ts";
import { withDevice } from "./scene-device.ts";
import { runSidecars } from "./sidecars.ts";

const GIB = 1024n ** 3n;
const PATIENCE_MS = 90_000;
const STEP_MS = 100;

export interface Kept extends AsyncDisposable {
  readonly repeats: boolean;
}

/** The mock in this process, registered with the node's agent, and our sidecars beside it. */
export async function startSceneDriver(
  { cluster, scene, name }: { cluster: NodeCluster; scene: OpenScene; name: string },
  { options = {}, spec, sidecars = [], repeats, devices }: DriverWish,
): Promise<Driver & Kept> {
  await using stack = new AsyncDisposableStack();
  if (spec !== undefined) await scene.create(csiDrivers, { metadata: { name }, spec });
  const { driver: mock, control } = createMockDriver({ ...options, name, nodeId: cluster.nodeName });
  const driver = devices ? await withDevice(stack, mock, join(cluster.folder, scene.id)) : mock;
  const socket = socketIn(cluster.kubeletFolder, name);
  mkdirSync(dirname(socket), { recursive: true });
  const stop = new AbortController();
  const served = serveDriver(
    driver,
    {
      endpoint: `unix://${socket}`,
      logger: silentLogger,
      registration: {
        pluginRegistrationPath: registryIn(cluster.kubeletFolder),
        kubeletSocketPath: socket,
      },
    },
    stop.signal,
  );
  served.catch(() => {});
  const end = async () => {
    stop.abort();
    await served;
  };
  stack.defer(end);
  await untilRegistered(cluster, name);
  const csi = stack.adopt(createCsiClient({ endpoint: `unix://${socket}` }), (client) => client.close());
  await csi.waitForReady();
  await runSidecars(stack, { cluster, csi, namespace: scene.namespace }, sidecars);
  const owned = stack.move();
  return {
    control,
    repeats: repeats ?? false,
    calls: async () => control.calls(),
    async createVolume(volume, bytes) {
      const handle = await createVolume(csi, volume, bytes);
      control.clearCalls();
      return handle;
    },
    stop: end,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

async function untilRegistered({ client, nodeName }: NodeCluster, name: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    // A node that has only just begun has none yet.
    const found = await client.find(csiNodes, { name: nodeName });
    if ((found?.spec.drivers ?? []).some((driver) => driver.name === name)) return;
    if (performance.now() > until) throw new Error(`${name} was not registered with ${nodeName}`);
    await sleep(STEP_MS);
  }
}

/** That it was made is not part of the scenario. */
export async function createVolume(csi: CsiClient, name: string, bytes = GIB): Promise<string> {
  const { volume } = await csi.controller.createVolume({
    name,
    capacityRange: { requiredBytes: bytes },
    volumeCapabilities: [
      { accessMode: { mode: Mode.MULTI_NODE_MULTI_WRITER }, accessType: { case: "mount", value: {} } },
    ],
  });
  return volume?.volumeId ?? "";
}
