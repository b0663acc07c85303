import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { goAwayStatus } from "../../spdy/frames.ts";
import type { SpdyClient } from "../../spdy/spdy-client.ts";
import { ForwardingScene, type Way } from "./forwarding-scene.ts";

const ways: readonly Way[] = ["WebSocket", "SPDY"];
const places = ["in the same process", "in another process"] as const;
const cases = ways.flatMap((way) => places.map((place) => ({ way, place })));

/** The two streams of a connection, as kubectl opens them. */
function opened(client: SpdyClient, port: number, requestid: number) {
  const headers = { port: String(port), requestid: String(requestid) };
  // kubectl has nothing to say about errors.
  const error = client.open({ ...headers, streamtype: "error" }, true);
  return { error, data: client.open({ ...headers, streamtype: "data" }) };
}

/** A port where nobody listens: it has another purpose, and is none that a system gives away when any free one is asked for. */
const nobody = 1;

/** Listens until the other side has gone, and has one thing to say. */
function greet(socket: Socket): void {
  socket.on("end", () => socket.end()).resume();
  socket.write("hello");
}

const whole = (text: string) => ({ text, isEnded: true, isReset: false });

describe.each(cases)("ports of a Pod by $way, on a node $place,", ({ way, place }) => {
  it("are as many connections at once as are asked for", async () => {
    await using scene = await ForwardingScene.started(place);
    const port = await scene.listening((socket) => socket.pipe(socket));
    const { client } = await scene.ask(way);
    const streams = Array.from({ length: 8 }, (_, index) => opened(client, port, index));
    for (const [index, { data }] of streams.entries()) client.say(data, `the ${index}.`);
    await expect.poll(() => scene.sockets.size).toBe(8);
    for (const [index, { data }] of streams.entries()) client.say(data, ` of 8: ${index}`, true);
    for (const [index, { data, error }] of streams.entries()) {
      await expect.poll(() => client.heard(data)).toEqual(whole(`the ${index}. of 8: ${index}`));
      await expect.poll(() => client.heard(error)).toEqual(whole(""));
    }
    expect(client.isOver).toBe(false);
    await expect.poll(() => scene.sockets.size).toBe(0);
  });

  it("carry much both ways at once", async () => {
    await using scene = await ForwardingScene.started(place);
    const [theirs, ours] = [randomBytes(3 * 1024 * 1024).toString("hex"), randomBytes(3 * 1024 * 1024).toString("hex")];
    const { promise: heard, resolve } = Promise.withResolvers<string>();
    const port = await scene.listening((socket) => {
      let said = "";
      socket.setEncoding("latin1").on("data", (part: string) => {
        said += part;
      });
      socket.on("end", () => {
        resolve(said);
        socket.end();
      });
      socket.write(ours);
    });
    const { client } = await scene.ask(way);
    const { data } = opened(client, port, 0);
    for (let from = 0; from < theirs.length; from += 100_000) client.say(data, theirs.slice(from, from + 100_000));
    client.say(data, "", true);
    // Not by their words: a difference would be megabytes of them.
    expect((await heard) === theirs).toBe(true);
    await expect.poll(() => client.heard(data).isEnded).toBe(true);
    expect(client.heard(data).text === ours).toBe(true);
  });

  it("are told of when nobody listens, and others go on", async () => {
    await using scene = await ForwardingScene.started(place);
    const port = await scene.listening((socket) => socket.pipe(socket));
    const { client } = await scene.ask(way);
    const refused = opened(client, nobody, 0);
    await expect.poll(() => client.heard(refused.error).isEnded).toBe(true);
    const why = `connect ECONNREFUSED 127.0.0.1:${nobody}`;
    expect(client.heard(refused.error).text).toMatch(
      new RegExp(`^error forwarding port ${nobody} to pod p, uid [-0-9a-f]{36}: ${why}$`, "u"),
    );
    expect(client.heard(refused.data).isReset).toBe(true);
    const { data } = opened(client, port, 1);
    client.say(data, "still here", true);
    await expect.poll(() => client.heard(data)).toEqual(whole("still here"));
  });

  it.each(["closes", "is gone"])("are let go of when the client %s", async (how) => {
    await using scene = await ForwardingScene.started(place);
    const port = await scene.listening(greet);
    const { client } = await scene.ask(way);
    const streams = [opened(client, port, 0), opened(client, port, 1)];
    for (const { data } of streams) await expect.poll(() => client.heard(data).text).toBe("hello");
    expect(scene.sockets.size).toBe(2);
    if (how === "closes") client.close();
    else client.destroy();
    await expect.poll(() => scene.sockets.size).toBe(0);
  });

  it("are held back while the client does not read", async () => {
    await using scene = await ForwardingScene.started(place);
    // Whoever is held back comes nowhere near the most, however much the systems on the way keep.
    const [piece, most] = [Buffer.alloc(64 * 1024, "x"), 16_000];
    let [sent, enough] = [0, most];
    const said = (function* () {
      for (; sent < enough; sent++) yield piece;
    })();
    const port = await scene.listening((socket) => Readable.from(said).pipe(socket));
    const echo = await scene.listening((socket) => socket.pipe(socket));
    const { client } = await scene.ask(way);
    const { client: another } = await scene.ask(way);
    const { data } = opened(client, port, 0);
    await expect.poll(() => client.heard(data).text).not.toBe("");
    client.pause();
    /** While a client that does read is told something the same way. */
    const sentMeanwhile = async () => {
      const before = sent;
      const { data: marker } = opened(another, echo, before);
      another.say(marker, "meanwhile", true);
      await expect.poll(() => another.heard(marker)).toEqual(whole("meanwhile"));
      return sent - before;
    };
    await expect.poll(sentMeanwhile).toBe(0);
    expect(sent).toBeLessThan(most);
    enough = sent;
    client.resume();
    await expect.poll(() => client.of("data").at(-1)?.isLast).toBe(true);
    expect(client.heard(data).text).toHaveLength(sent * piece.length);
  });
});

describe("a connection for ports", () => {
  it.each(ways)("is not for everybody, by %s", async (way) => {
    await using scene = await ForwardingScene.started("in the same process");
    expect(await scene.refusal(way, "alice")).toMatch(
      /^403 pods "p" is forbidden: User "alice" cannot \w+ resource "pods\/portforward"/u,
    );
  });

  it.each(ways)("is ended for a client that speaks something else, by %s, and the server goes on", async (way) => {
    await using scene = await ForwardingScene.started("in the same process");
    const port = await scene.listening(greet);
    const { client, tunnel } = await scene.ask(way);
    const { data } = opened(client, port, 0);
    await expect.poll(() => client.heard(data).text).toBe("hello");
    client.send(Buffer.from("GET / HTTP/1.1\r\n\r\n"));
    await expect.poll(() => client.isOver).toBe(true);
    expect(client.of("go-away")).toMatchObject([{ status: goAwayStatus.protocolError }]);
    expect(tunnel?.closeCode).toBe(way === "WebSocket" ? 1000 : undefined);
    await expect.poll(() => scene.sockets.size).toBe(0);
    expect(await scene.isWell()).toBe(true);
  });

  it.each([
    ["text", 1003, Buffer.of(0x81, 0x81, 0, 0, 0, 0, 0x61)],
    ["what is not masked", 1002, Buffer.of(0x82, 0x01, 0x61)],
    ["what is too long", 1009, Buffer.of(0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
  ])("is ended for a WebSocket that sends %s, which is told why", async (_what, code, bytes) => {
    await using scene = await ForwardingScene.started("in the same process");
    const port = await scene.listening(greet);
    const { client, tunnel } = await scene.ask("WebSocket");
    const { data } = opened(client, port, 0);
    await expect.poll(() => client.heard(data).text).toBe("hello");
    tunnel?.sayBytes(bytes);
    await expect.poll(() => client.isOver).toBe(true);
    expect(tunnel?.closeCode).toBe(code);
    await expect.poll(() => scene.sockets.size).toBe(0);
    expect(await scene.isWell()).toBe(true);
  });
});
