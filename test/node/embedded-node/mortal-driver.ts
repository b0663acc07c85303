// needs: cli driver
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createCsiClient } from "@stowage/csi";
import type { CallRecord } from "@stowage/drivers";
import { csiDrivers } from "@stowage/machinery";
import type { OpenScene } from "../../cluster/embedded-scenarios/scene.ts";
import { driverFlags, mockFlags, socketIn } from "../kubelet/driver-flags.ts";
import { StowageProcess } from "../kubelet/stowage-process.ts";
import type { NodeCluster } from "./clusters.ts";
import type { MortalDriver } from "./scenario.ts";
import { createVolume, type Kept } from "./scene-driver.ts";

const PATIENCE_MS = 90_000;
const STEP_MS = 50;

interface Place {
  readonly cluster: NodeCluster;
  readonly scene: OpenScene;
  readonly name: string;
}

/** `stowage driver mock`, whose volumes need not be attached; what it recorded before it was killed is kept. */
export async function startMortalDriver({ cluster, scene, name }: Place): Promise<MortalDriver & Kept> {
  await scene.create(csiDrivers, { metadata: { name }, spec: { attachRequired: false } });
  const { kubeletFolder, nodeName, folder } = cluster;
  const socket = socketIn(kubeletFolder, name);
  mkdirSync(dirname(socket), { recursive: true });
  const stateDir = join(folder, scene.id, "driver");
  const flags = driverFlags({ name, nodeName, kubeletFolder, socket, stateDir, attach: "off" }, mockFlags);
  const driver = new StowageProcess();
  const earlier: CallRecord[] = [];
  const start = async () => {
    driver.start(["driver", "mock", ...flags]);
    await untilSaid(driver, "kubelet registered the CSI driver");
  };
  const control = async (method: "GET" | "DELETE") => {
    const url = /control at (\S+)/u.exec(driver.log)?.[1] ?? "";
    return (await (await fetch(`${url}/calls`, { method })).json()) as { readonly calls: readonly CallRecord[] };
  };
  await start();
  const csi = createCsiClient({ endpoint: `unix://${socket}` });
  return {
    repeats: false,
    start,
    calls: async () => [...earlier, ...(await control("GET")).calls],
    async createVolume(volume, bytes) {
      await csi.waitForReady();
      const handle = await createVolume(csi, volume, bytes);
      await control("DELETE");
      return handle;
    },
    async kill() {
      earlier.push(...(await control("GET")).calls);
      await driver.kill();
    },
    async [Symbol.asyncDispose]() {
      csi.close();
      await driver.stop();
    },
  };
}

async function untilSaid(driver: StowageProcess, words: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (!driver.log.includes(words)) {
    if (performance.now() > until) throw new Error(`the driver did not say "${words}": ${driver.log}`);
    await sleep(STEP_MS);
  }
}
