import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Registration } from "../../generated/pluginregistration_pb.js";
import { createGrpcCaller } from "../fixtures/grpc-caller.ts";
import { startDriver, temporaryFolder } from "../fixtures/served-driver.ts";

let folder: string;
let registry: string;
let socket: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  registry = join(folder, "plugins_registry");
  socket = join(registry, "test.stowage.dev-reg.sock");
  await mkdir(registry);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const kubeletSocketPath = "/var/lib/kubelet/plugins/test/csi.sock";

function startRegistered() {
  const registration = { pluginRegistrationPath: registry, kubeletSocketPath };
  return startDriver({}, { registration, healthAddress: "127.0.0.1:0", probeTimeoutMs: 60_000 });
}

/** What kubelet does when a socket shows up in its folder. */
async function registerAsKubelet(status: { pluginRegistered: boolean; error?: string }) {
  await expect.poll(() => stat(socket).catch(() => undefined)).toBeDefined();
  using kubelet = createGrpcCaller(`unix:${socket}`);
  const info = await kubelet.call(Registration.method.getInfo, {});
  await kubelet.call(Registration.method.notifyRegistrationStatus, status);
  return info;
}

test("kubelet learns the driver's name and socket, and then the driver is ready", async () => {
  await using served = await startRegistered();
  const readyz = async () => (await fetch(`${served.addresses.healthUrl}/readyz`)).status;
  expect(await readyz()).toBe(500);
  expect(await registerAsKubelet({ pluginRegistered: true })).toMatchObject({
    type: "CSIPlugin",
    name: "test.stowage.dev",
    endpoint: kubeletSocketPath,
    supportedVersions: ["1.0.0"],
  });
  // Set right after the socket is there: who is quick sees what its umask made of it, which is nobody else's either.
  await expect.poll(async () => (await stat(socket)).mode & 0o777).toBe(0o600);
  expect(await readyz()).toBe(200);
});

test("the socket goes away when the driver stops", async () => {
  const served = await startRegistered();
  await registerAsKubelet({ pluginRegistered: true });
  await served[Symbol.asyncDispose]();
  expect(await readdir(registry)).toEqual([]);
});

test("a refusal of kubelet's ends the driver, in kubelet's words", async () => {
  await using served = await startRegistered();
  const outcome = served.done.catch((error: unknown) => error);
  await registerAsKubelet({ pluginRegistered: false, error: "NodeGetInfo failed" });
  expect(await outcome).toMatchObject({
    code: "CSI_REGISTRATION_REFUSED",
    message: expect.stringContaining("NodeGetInfo failed"),
  });
  expect(await readdir(registry)).toEqual([]);
});

test("a socket that kubelet wiped is made again", async () => {
  await using _served = await startRegistered();
  await registerAsKubelet({ pluginRegistered: true });
  await rm(socket);
  await registerAsKubelet({ pluginRegistered: true });
});

test("a folder that kubelet removed and made anew gets the socket, again and again", async () => {
  await using _served = await startRegistered();
  await registerAsKubelet({ pluginRegistered: true });
  for (let round = 0; round < 3; round++) {
    // At one stroke: a folder that is emptied first may get a new socket before it goes, and then cannot go.
    const away = join(folder, `away-${round}`);
    await rename(registry, away);
    await rm(away, { recursive: true });
    await mkdir(registry, { recursive: true });
    await registerAsKubelet({ pluginRegistered: true });
  }
});
