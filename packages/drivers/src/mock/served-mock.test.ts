import { join } from "node:path";
import { createCsiClient, serveDriver } from "@stowage/csi";
import { silentLogger } from "@stowage/machinery";
import { ManualClock } from "@stowage/machinery/testing";
import { describe, expect, it } from "vitest";
import { GIB, volumeNamed } from "./fixtures/requests.ts";
import { temporaryFolder } from "./fixtures/temporary-folder.ts";
import { createMockDriver } from "./mock-driver.ts";

/** The mock on a socket, and a client of it. */
async function servedMock() {
  const folder = temporaryFolder();
  const clock = new ManualClock();
  const { driver, control } = createMockDriver({ nodeId: "node-1", clock });
  const stop = new AbortController();
  const endpoint = `unix://${join(folder.path, "csi.sock")}`;
  const listening = Promise.withResolvers<unknown>();
  const serving = serveDriver(
    driver,
    { endpoint, logger: silentLogger, onListening: listening.resolve, drainTimeoutMs: 100 },
    stop.signal,
  );
  await Promise.race([listening.promise, serving]);
  const client = createCsiClient({ endpoint });
  const close = async () => {
    client.close();
    stop.abort();
    await serving;
    folder[Symbol.dispose]();
  };
  return { client, control, clock, [Symbol.asyncDispose]: close };
}

describe("a served mock", () => {
  it("has made the volume when its caller has lost patience, and answers it to the next", async () => {
    await using mock = await servedMock();
    mock.control.addFault({ method: "CreateVolume", kind: "late", delayMs: 60_000, times: 1 });
    const caller = new AbortController();
    const create = (signal?: AbortSignal) => mock.client.controller.createVolume(volumeNamed("a"), { signal });
    const lost = create(caller.signal);
    await expect.poll(() => mock.control.state().volumes).toMatchObject([{ name: "a" }]);
    expect(mock.control.calls("CreateVolume")[0]?.code).toBeUndefined();
    caller.abort();
    await expect(lost).rejects.toMatchObject({ grpcCode: "CANCELLED" });
    await expect.poll(() => mock.control.calls("CreateVolume")[0]?.code).toBe("CANCELLED");
    expect((await create()).volume?.volumeId).toBe(mock.control.state().volumes[0]?.id);
  });

  it("refuses a second call for a volume while the first is slow", async () => {
    await using mock = await servedMock();
    mock.control.addFault({ method: "CreateVolume", kind: "slow", delayMs: 300, times: 1 });
    const create = () => mock.client.controller.createVolume(volumeNamed("a"));
    const first = create();
    await expect.poll(() => mock.control.calls().length).toBe(1);
    await expect(create()).rejects.toMatchObject({ grpcCode: "ABORTED" });
    await mock.clock.advance(300);
    expect((await first).volume?.capacityBytes).toBe(GIB);
  });

  it("can be told not to be ready", async () => {
    await using mock = await servedMock();
    mock.control.addFault({ method: "Probe", kind: "fail", code: "FAILED_PRECONDITION", times: 1 });
    await expect(mock.client.identity.probe({})).rejects.toMatchObject({ grpcCode: "FAILED_PRECONDITION" });
    expect(await mock.client.identity.probe({})).toMatchObject({ ready: true });
  });
});
