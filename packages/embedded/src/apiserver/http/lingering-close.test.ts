import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeLingering } from "./lingering-close.ts";

const megabyte = 1024 * 1024;

describe("closing a connection whose client talks on and never hangs up", () => {
  let server: Server;
  let client: Socket;
  let served: Socket;

  beforeEach(async () => {
    server = createServer({ allowHalfOpen: true });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const connected = once(server, "connection");
    client = connect({ host: "127.0.0.1", port: (server.address() as AddressInfo).port, allowHalfOpen: true });
    client.on("error", () => {}).resume();
    [served] = (await connected) as [Socket];
    served.on("error", () => {});
    client.write(Buffer.alloc(20 * megabyte));
  });
  afterEach(() => {
    client.destroy();
    served.destroy();
    server.close();
  });

  it("takes so many bytes and no more", async () => {
    const paused = once(served, "pause");
    closeLingering(served, { longestMs: 60_000, mostBytes: megabyte });
    await paused;
    // What has come with the last of them, too.
    expect(served.bytesRead).toBeLessThan(2 * megabyte);
  });

  it("cuts it in the end", async () => {
    const closed = new Promise((resolve) => client.on("close", resolve));
    closeLingering(served, { longestMs: 50, mostBytes: megabyte });
    await closed;
  });
});
