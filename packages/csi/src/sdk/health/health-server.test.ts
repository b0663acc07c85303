import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { Identity } from "../../generated/csi_pb.js";
import { startDriver } from "../fixtures/served-driver.ts";
import { parseHealthAddress } from "./health-address.ts";

const healthAddress = "127.0.0.1:0";
/** Each probe makes a connection of its own, for which a busy machine may need longer than is usual. */
const patient = { healthAddress, probeTimeoutMs: 60_000 };

async function get(url: string | undefined, path: string) {
  const response = await fetch(`${url}${path}`);
  return { status: response.status, body: await response.text() };
}

test("a driver that answers is healthy and ready, and its calls are counted", async () => {
  await using served = await startDriver({}, patient);
  const { healthUrl } = served.addresses;
  await served.caller.call(Identity.method.getPluginInfo, {});
  expect(await get(healthUrl, "/healthz")).toEqual({ status: 200, body: "ok" });
  expect(await get(healthUrl, "/readyz")).toEqual({ status: 200, body: "ok" });
  expect((await get(healthUrl, "/metrics")).body).toContain('method="/csi.v1.Identity/GetPluginInfo"');
  expect(await get(healthUrl, "/other")).toMatchObject({ status: 404 });
});

test("a driver that is not ready or fails is unhealthy, and says why", async () => {
  let probe = () => Promise.resolve(false);
  await using served = await startDriver({ probe: () => probe() }, patient);
  const { healthUrl } = served.addresses;
  expect(await get(healthUrl, "/healthz")).toMatchObject({ status: 500, body: expect.stringContaining("not ready") });
  probe = () => Promise.reject(new Error("no storage"));
  expect(await get(healthUrl, "/healthz")).toMatchObject({ status: 500, body: expect.stringContaining("no storage") });
});

test("a driver that hangs is unhealthy, and says why", async () => {
  const { promise: hanging, resolve } = Promise.withResolvers<boolean>();
  await using served = await startDriver({ probe: () => hanging }, { healthAddress, probeTimeoutMs: 200 });
  const { healthUrl } = served.addresses;
  expect(await get(healthUrl, "/healthz")).toMatchObject({ status: 500, body: expect.stringContaining("DEADLINE") });
  resolve(true);
});

test("a socket that somebody removed makes the driver unhealthy, though it still runs", async () => {
  await using served = await startDriver({}, { healthAddress, probeTimeoutMs: 500 });
  await rm(served.socketPath);
  expect(await get(served.addresses.healthUrl, "/healthz")).toMatchObject({ status: 500 });
});

test.each([
  [":9808", { port: 9808 }],
  ["127.0.0.1:80", { host: "127.0.0.1", port: 80 }],
  ["[::1]:80", { host: "::1", port: 80 }],
])("%s is an address", (text, address) => {
  expect(parseHealthAddress(text)).toEqual(address);
});

test.each(["", "9808", "a:b", ":99999"])("%j is no address", (text) => {
  expect(() => parseHealthAddress(text)).toThrow("cannot serve health checks");
});
