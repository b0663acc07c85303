import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { silentLogger } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { createCsiClient, createRegistrationClient } from "../client/index.ts";
import { startDriver } from "../sdk/fixtures/served-driver.ts";
import { serveDriver } from "../sdk/index.ts";
import { connectToSocket } from "./socket-connection.ts";

const PATIENCE_MS = 60_000;

let place: string;
let path: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "sockets-"));
  path = join(place, "deep".repeat(50), "deeper".repeat(30), "csi.sock");
  mkdirSync(dirname(path), { recursive: true });
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const startDeep = () => {
  const health = { healthAddress: "127.0.0.1:0", probeTimeoutMs: PATIENCE_MS };
  return startDriver({}, { endpoint: `unix://${path}`, ...health });
};

function deepClient() {
  const client = createCsiClient({ endpoint: path });
  onTestFinished(() => client.close());
  return client;
}

const ready = { connectTimeoutMs: PATIENCE_MS };

const openFiles = () => readdirSync("/proc/self/fd").length;

describe.skipIf(process.platform !== "linux")(
  "a socket whose path is too long for the kernel",
  { timeout: 240_000 },
  () => {
    it("is at its place, its owner's alone, and reached there by clients and by the driver itself", async () => {
      const served = await startDeep();
      expect(path.length).toBeGreaterThan(300);
      expect(served.addresses.endpoint).toBe(`unix://${path}`);
      expect(lstatSync(path).mode & 0o777).toBe(0o600);
      const client = deepClient();
      await client.waitForReady(ready);
      expect(await client.driverName()).toBe("test.stowage.dev");
      expect((await fetch(`${served.addresses.healthUrl}/healthz`)).status).toBe(200);
      await served[Symbol.asyncDispose]();
      expect(existsSync(path)).toBe(false);
    });

    it("is replaced when a killed process left it behind", async () => {
      const leave = `process.chdir(${JSON.stringify(dirname(path))});
      require("node:net").createServer().listen("csi.sock", () => process.kill(process.pid, 9));`;
      spawnSync(process.execPath, ["-e", leave]);
      expect(lstatSync(path).isSocket()).toBe(true);
      await using _served = await startDeep();
      await deepClient().waitForReady(ready);
    });

    it("is left alone when somebody listens there, and named", async () => {
      await using _served = await startDeep();
      const driver = { name: "other.stowage.dev", vendorVersion: "1" };
      const second = serveDriver(driver, { endpoint: path, logger: silentLogger }, AbortSignal.timeout(PATIENCE_MS));
      await expect(second).rejects.toMatchObject({
        code: "CSI_SOCKET_IN_USE",
        message: expect.stringContaining(path) as string,
      });
      await deepClient().waitForReady(ready);
    });

    it("is reached by a client that was there before its folder", async () => {
      rmSync(dirname(path), { recursive: true });
      const client = deepClient();
      const failure = await client.waitForReady({ connectTimeoutMs: 1 }).catch((error: unknown) => error);
      expect(failure).toMatchObject({ grpcCode: "UNAVAILABLE", message: expect.stringContaining(path) as string });
      const waiting = client.waitForReady(ready);
      await using _served = await startDeep();
      await waiting;
    });

    it("is reached again when its folder was taken away and another one is in its place", async () => {
      const former = await startDeep();
      const client = deepClient();
      await client.waitForReady(ready);
      await former[Symbol.asyncDispose]();
      renameSync(dirname(path), join(place, "away"));
      await expect.poll(() => client.isConnected, { timeout: PATIENCE_MS }).toBe(false);
      await using _served = await startDeep();
      await client.waitForReady(ready);
    });

    it("registers a driver in a deep folder, and goes with it", async () => {
      const pluginRegistrationPath = dirname(path);
      const registration = { pluginRegistrationPath, kubeletSocketPath: path };
      const served = await startDriver({}, { registration });
      const socketPath = join(pluginRegistrationPath, "test.stowage.dev-reg.sock");
      await expect.poll(() => existsSync(socketPath), { timeout: PATIENCE_MS }).toBe(true);
      using kubelet = createRegistrationClient({ socketPath });
      expect(await kubelet.getInfo(AbortSignal.timeout(PATIENCE_MS))).toMatchObject({ endpoint: path });
      await served[Symbol.asyncDispose]();
      expect(existsSync(socketPath)).toBe(false);
    });

    it("says as any other when nobody is there", async () => {
      for (const missing of [path, join(place, "no".repeat(100), "csi.sock")]) {
        const [error] = (await once(connectToSocket(missing), "error")) as [unknown];
        expect(error).toMatchObject({ code: "ENOENT" });
      }
    });

    it("leaves no file open, however often it is listened at, connected to and asked for in vain", async () => {
      // What is opened once and kept, by Node and by gRPC, is opened by now.
      await listenConnectAndFail();
      const before = openFiles();
      for (let round = 0; round < 100; round++) await listenConnectAndFail();
      // Connections that were closed may take a moment to be gone, and the test's own runner opens a file now and then.
      await expect.poll(openFiles, { timeout: PATIENCE_MS }).toBeLessThan(before + 20);
    });

    async function listenConnectAndFail(): Promise<void> {
      const nobody = createCsiClient({ endpoint: `${path}-of-nobody` });
      await using _served = await startDeep();
      const client = createCsiClient({ endpoint: path });
      await client.waitForReady(ready);
      const socket = connectToSocket(path);
      await once(socket, "connect");
      socket.destroy();
      client.close();
      nobody.close();
    }
  },
);
