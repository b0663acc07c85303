import { existsSync, renameSync, statSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { connectToSocket } from "@stowage/csi";
import { describe, expect, it } from "vitest";
import { callerOf } from "../fixtures/mock-caller.ts";
import { volumeNamed } from "../fixtures/requests.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { createMockDriver } from "../mock-driver.ts";
import { parseControlEndpoint } from "./control-endpoint.ts";
import { startControlServer } from "./control-server.ts";

async function controlledMock() {
  const { driver, control } = createMockDriver({ nodeId: "node-1" });
  const server = await startControlServer(control, parseControlEndpoint("127.0.0.1:0"));
  const ask = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const response = await fetch(server.address + path, { method, body: text, headers });
    const answered: unknown = await response.json();
    return { status: response.status, body: answered };
  };
  return { ask, call: callerOf(driver), [Symbol.asyncDispose]: server.close };
}

/** As a killed process does: whoever closes in order removes the socket, where it was made. */
async function leaveDeadSocket(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(`${path}-live`, resolve));
  renameSync(`${path}-live`, path);
  await new Promise((resolve) => server.close(resolve));
}

describe("the control over HTTP", () => {
  it("injects a fault and tells what calls came to", async () => {
    await using mock = await controlledMock();
    const fault = { method: "CreateVolume", volume: "a", kind: "fail", code: "INTERNAL", times: 1 };
    expect(await mock.ask("POST", "/faults", fault)).toEqual({ status: 200, body: { ...fault, id: "1" } });
    expect(await mock.ask("GET", "/faults")).toMatchObject({ body: { faults: [{ id: "1" }] } });
    await expect(mock.call("createVolume", volumeNamed("a"))).rejects.toMatchObject({ grpcCode: "INTERNAL" });
    await mock.call("createVolume", volumeNamed("a"));
    const records = [{ code: "INTERNAL", request: { name: "a" } }, { code: "OK" }];
    expect(await mock.ask("GET", "/calls?method=CreateVolume")).toMatchObject({ body: { calls: records } });
    expect(await mock.ask("GET", "/calls?method=DeleteVolume")).toEqual({ status: 200, body: { calls: [] } });
    await mock.ask("DELETE", "/calls");
    expect(await mock.ask("GET", "/calls")).toMatchObject({ body: { calls: [] } });
  });

  it("shows the volumes, makes them ail and loses them", async () => {
    await using mock = await controlledMock();
    await mock.call("createVolume", volumeNamed("pvc/1"));
    const path = "/volumes/pvc%2F1";
    await mock.ask("PUT", `${path}/ailment`, { status: "dataLoss", reason: "Gone" });
    const volume = { name: "pvc/1", capacityBytes: "1073741824", ailment: { status: "dataLoss" } };
    expect(await mock.ask("GET", "/state")).toMatchObject({ body: { volumes: [volume] } });
    expect(await mock.ask("DELETE", path)).toMatchObject({ status: 200 });
    expect(await mock.ask("DELETE", path)).toMatchObject({ status: 404 });
  });

  it.each([
    ["POST", "/faults", { method: "CreateVolume" }, 400],
    ["POST", "/faults", { method: "CreateVolume", kind: "fail", code: "OOPS" }, 400],
    ["POST", "/faults", { method: "CreateVolume", kind: "fail", code: "toString" }, 400],
    ["POST", "/faults", { method: "CreateVolume", kind: "slow" }, 400],
    ["POST", "/faults", { kind: "hang" }, 400],
    ["POST", "/faults", { method: "*", kind: "hang", times: 0 }, 400],
    ["POST", "/faults", "{", 400],
    ["POST", "/faults", "x".repeat(1_000_001), 413],
    ["GET", "/nothing", undefined, 404],
    ["DELETE", "/faults/7", undefined, 404],
  ])("answers %s %s %o with %i and says why", async (method, path, body, status) => {
    await using mock = await controlledMock();
    const answer = await mock.ask(method, path, body);
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } });
  });

  it("does not listen to web pages", async () => {
    await using mock = await controlledMock();
    expect(await mock.ask("GET", "/calls", undefined, { origin: "https://example.com" })).toMatchObject({
      status: 403,
    });
  });

  it("is its owner's alone on a socket, and takes the place of a dead one", async () => {
    using folder = temporaryFolder();
    const socketPath = join(folder.path, "control");
    await leaveDeadSocket(socketPath);
    const { control } = createMockDriver({ nodeId: "node-1" });
    await using server = await startControlServer(control, parseControlEndpoint(`unix://${socketPath}`));
    expect(server.address).toBe(`unix://${socketPath}`);
    expect(statSync(socketPath).mode & 0o777).toBe(0o600);
    const status = await new Promise((resolve) =>
      request({ socketPath, path: "/state" }, (response) => resolve(response.resume().statusCode)).end(),
    );
    expect(status).toBe(200);
  });

  it.skipIf(process.platform !== "linux")(
    "is reached on a socket in a deep folder, and leaves nothing there",
    async () => {
      using folder = temporaryFolder();
      const socketPath = join(folder.path, "deep".repeat(50), "control");
      const { control } = createMockDriver({ nodeId: "node-1" });
      const server = await startControlServer(control, { socketPath });
      expect(server.address).toBe(`unix://${socketPath}`);
      const createConnection = () => connectToSocket(socketPath);
      const status = await new Promise((resolve) =>
        request({ createConnection, path: "/state" }, (response) => resolve(response.resume().statusCode)).end(),
      );
      expect(status).toBe(200);
      await server.close();
      expect(existsSync(socketPath)).toBe(false);
    },
  );

  it("makes the folder of its socket, for its owner alone", async () => {
    using folder = temporaryFolder();
    const socketPath = join(folder.path, "new", "control");
    const { control } = createMockDriver({ nodeId: "node-1" });
    await using server = await startControlServer(control, { socketPath });
    expect(server.address).toBe(`unix://${socketPath}`);
    expect(statSync(join(folder.path, "new")).mode & 0o777).toBe(0o700);
  });

  it.each(["0.0.0.0:9900", "example.com:80", "relative", "127.0.0.1"])("is not offered at %s", (text) => {
    expect(() => parseControlEndpoint(text)).toThrow(expect.objectContaining({ code: "CSI_ENDPOINT_INVALID" }));
  });
});
