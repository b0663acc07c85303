import { readdir } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Registration } from "../../../packages/csi/src/generated/pluginregistration_pb.js";
import { createGrpcCaller } from "../../../packages/csi/src/sdk/fixtures/grpc-caller.ts";
import type { RunningDriver } from "./running-driver.ts";

const HEALTH_CHECKS = 20;
const LOOK_EVERY_MS = 50;

/** What kubelet does with a plugin whose socket shows up in its folder. */
export async function registerPlugin(folder: string): Promise<void> {
  let socket: string | undefined;
  while (socket === undefined) {
    await sleep(LOOK_EVERY_MS);
    [socket] = await readdir(folder);
  }
  using kubelet = createGrpcCaller(`unix:${join(folder, socket)}`);
  await kubelet.call(Registration.method.getInfo, {});
  await kubelet.call(Registration.method.notifyRegistrationStatus, { pluginRegistered: true });
}

/** A node's ordinary morning: what kubelet asks of a plugin, and the checks of its Pod. */
export async function usePlugin({ client }: RunningDriver, healthUrl: string): Promise<void> {
  await client.node.nodeGetInfo({});
  await client.node.nodeGetCapabilities({});
  // Of a volume that is not there: an error has to be told, too.
  await client.node.nodeGetVolumeStats({ volumeId: "none", volumePath: "/none" }).catch(() => {});
  for (let count = 0; count < HEALTH_CHECKS; count++) await fetchOk(`${healthUrl}/healthz`);
  await fetchOk(`${healthUrl}/readyz`);
  await fetchOk(`${healthUrl}/metrics`);
}

async function fetchOk(url: string): Promise<void> {
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (typeof address !== "object" || address === null) throw new Error("no port was given");
  return address.port;
}
