import { spawnSync } from "node:child_process";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { silentLogger } from "@stowage/machinery";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { Identity } from "../../generated/csi_pb.js";
import { createGrpcCaller } from "../fixtures/grpc-caller.ts";
import { startDriver, temporaryFolder } from "../fixtures/served-driver.ts";
import { serveDriver } from "../serve-driver.ts";

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const driver = { name: "test.stowage.dev", vendorVersion: "1" };

function serveAt(endpoint: string): Promise<void> {
  const end = new AbortController();
  onTestFinished(() => end.abort());
  return serveDriver(driver, { endpoint, logger: silentLogger }, end.signal);
}

test("the socket and its folder are the owner's alone, whatever the umask, and the socket goes with the driver", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  const path = join(folder, "new", "csi.sock");
  const served = await startDriver({}, { endpoint: `unix://${path}` });
  expect(process.umask(before)).toBe(0);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(folder, "new"))).mode & 0o777).toBe(0o700);
  await served[Symbol.asyncDispose]();
  await expect(stat(path)).rejects.toThrow("ENOENT");
});

test("a socket that a killed process left behind is replaced", async () => {
  const path = join(folder, "csi.sock");
  const leave = `require("node:net").createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 9))`;
  spawnSync(process.execPath, ["-e", leave]);
  expect((await stat(path)).isSocket()).toBe(true);
  await using served = await startDriver({}, { endpoint: `unix://${path}` });
  using caller = createGrpcCaller(`unix:${path}`);
  await caller.call(Identity.method.probe, {});
  expect(served.addresses.endpoint).toBe(`unix://${path}`);
});

test("a socket at which somebody listens is left alone, and named", async () => {
  const path = join(folder, "csi.sock");
  const other = createServer();
  onTestFinished(() => void other.close());
  await new Promise<void>((resolve) => other.listen(path, resolve));
  await expect(serveAt(`unix://${path}`)).rejects.toMatchObject({
    code: "CSI_SOCKET_IN_USE",
    message: expect.stringContaining(path),
  });
  expect((await stat(path)).isSocket()).toBe(true);
});

test("a file that is not a socket is left alone", async () => {
  const path = join(folder, "csi.sock");
  await writeFile(path, "precious");
  await expect(serveAt(`unix://${path}`)).rejects.toMatchObject({ code: "CSI_SOCKET_UNUSABLE" });
  await rm(path);
  await mkdir(path);
  await expect(serveAt(`unix://${path}`)).rejects.toMatchObject({ code: "CSI_SOCKET_UNUSABLE" });
});

test("a TCP endpoint is served on the loopback address", async () => {
  await using served = await startDriver({}, { endpoint: "tcp://127.0.0.1:0" });
  const target = served.addresses.endpoint.replace("tcp://", "");
  using caller = createGrpcCaller(target);
  expect(await caller.call(Identity.method.getPluginInfo, {})).toMatchObject({ name: "test.stowage.dev" });
});
