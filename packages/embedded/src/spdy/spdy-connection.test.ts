import { duplexPair } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { goAwayFrame, goAwayStatus, pingFrame, resetFrame, resetStatus, synReplyFrame } from "./frames.ts";
import { limits } from "./limits.ts";
import { SpdyClient } from "./spdy-client.ts";
import { SpdyConnection, type StreamTaker } from "./spdy-connection.ts";
import type { SpdyStream } from "./spdy-stream.ts";

/** A client and a server that are connected. */
function connected(isWanted: StreamTaker = () => true) {
  const [near, far] = duplexPair();
  const client = new SpdyClient(near);
  const connection = new SpdyConnection(far, Buffer.alloc(0));
  const streams: SpdyStream[] = [];
  const serving = connection.serve((stream) => {
    if (!isWanted(stream)) return false;
    streams.push(stream);
    return true;
  });
  const opened = async (index: number): Promise<SpdyStream> => {
    await expect.poll(() => streams.length).toBeGreaterThan(index);
    return streams[index] as SpdyStream;
  };
  return { client, connection, streams, opened, serving, far };
}

/** Somebody says as much to a server that reads all of it, and hears that it has. */
async function comesThrough(count: number, piece: string): Promise<void> {
  const { client, opened } = connected();
  const id = client.open({});
  const reading = joined((await opened(0)).incoming);
  for (let index = 0; index < count; index++) client.say(id, piece);
  client.send(pingFrame(1));
  client.say(id, "", true);
  await reading;
  await expect.poll(() => client.of("ping")).toHaveLength(1);
}

async function joined(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString("utf8");
}

describe("a connection by SPDY", () => {
  it("answers streams that are opened, and says and hears what is said on each", async () => {
    const { client, opened } = connected();
    const [a, b] = [client.open({ name: "a" }), client.open({ name: "b" })];
    client.say(b, "to b", true);
    client.say(a, "to ");
    client.say(a, "a", true);
    const [first, second] = [await opened(0), await opened(1)];
    expect([first.headers.get("name"), second.headers.get("name")]).toEqual(["a", "b"]);
    expect([await joined(first.incoming), await joined(second.incoming)]).toEqual(["to a", "to b"]);
    await first.write(Buffer.from("from a"));
    await first.end();
    await expect.poll(() => client.heard(a)).toEqual({ text: "from a", isEnded: true, isReset: false });
    expect(client.of("syn-reply").map(({ streamId }) => streamId)).toEqual([a, b]);
  });

  it("goes on in one direction when the other has ended", async () => {
    const { client, opened, connection } = connected();
    const id = client.open({});
    const stream = await opened(0);
    await stream.end();
    await stream.write(Buffer.from("too late"));
    client.say(id, "still", true);
    client.say(id, "too late");
    expect(await joined(stream.incoming)).toBe("still");
    await expect.poll(() => stream.gone.aborted).toBe(true);
    expect(client.heard(id).text).toBe("");
    expect(connection.gone.aborted).toBe(false);
  });

  it("takes a stream that nothing comes on", async () => {
    const { client, opened } = connected();
    client.open({}, true);
    expect(await joined((await opened(0)).incoming)).toBe("");
  });

  it("sends what is long in parts", async () => {
    const { client, opened } = connected();
    const id = client.open({});
    const text = "x".repeat(3 * limits.dataBytes + 1);
    await (await opened(0)).write(Buffer.from(text));
    await expect.poll(() => client.heard(id).text.length).toBe(text.length);
    expect(client.of("data").every(({ bytes }) => bytes.length <= limits.dataBytes)).toBe(true);
  });

  it("resets streams that are not wanted, and those that are too many", async () => {
    const { client, streams } = connected(({ headers }) => headers.get("name") !== "bad");
    const bad = client.open({ name: "bad" });
    for (let index = 0; index < limits.streams; index++) client.open({});
    const tooMany = client.open({});
    await expect.poll(() => client.heard(tooMany).isReset).toBe(true);
    expect(client.of("rst-stream")).toEqual([
      { kind: "rst-stream", streamId: bad, status: resetStatus.refusedStream },
      { kind: "rst-stream", streamId: tooMany, status: resetStatus.refusedStream },
    ]);
    client.send(resetFrame(bad + 2, resetStatus.cancel));
    client.open({ name: "in its place" });
    await expect.poll(() => streams.length).toBe(limits.streams + 1);
  });

  it("ends a stream that is reset, and the others go on", async () => {
    const { client, opened } = connected();
    const [a, b] = [client.open({}), client.open({})];
    const stream = await opened(0);
    client.send(resetFrame(a, resetStatus.cancel));
    expect(await joined(stream.incoming)).toBe("");
    expect(stream.gone.aborted).toBe(true);
    await (await opened(1)).reset();
    await expect.poll(() => client.heard(b).isReset).toBe(true);
  });

  it("answers pings of the client, and no others", async () => {
    const { client } = connected();
    client.send(Buffer.concat([pingFrame(2), pingFrame(5)]));
    await expect.poll(() => client.frames).toEqual([{ kind: "ping", id: 5 }]);
  });

  it("holds a client back that says more than is read", async () => {
    const { client, opened } = connected();
    const id = client.open({});
    const stream = await opened(0);
    const piece = "x".repeat(16 * 1024);
    const count = (4 * limits.unreadBytes) / piece.length;
    for (let index = 0; index < count; index++) client.say(id, piece);
    client.send(pingFrame(1));
    client.say(id, "", true);
    // On a busy machine it may also be asked whether it is still there.
    const answers = () => client.of("ping").filter(({ id: asked }) => asked === 1);
    // Another, which began later, comes to its ping. This one does not, since it would have to keep what is before it.
    await comesThrough(count, piece);
    expect(answers()).toEqual([]);
    expect(await joined(stream.incoming)).toHaveLength(count * piece.length);
    await expect.poll(answers).toHaveLength(1);
  });

  it("asks a client that it holds back whether it is still there", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { client, opened } = connected();
      const id = client.open({});
      const stream = await opened(0);
      client.say(id, "x".repeat(2 * limits.unreadBytes));
      client.say(id, "", true);
      await expect.poll(() => vi.getTimerCount()).toBe(1);
      expect(client.of("ping")).toEqual([]);
      vi.advanceTimersToNextTimer();
      await expect.poll(() => client.of("ping")).toHaveLength(1);
      await joined(stream.incoming);
      await expect.poll(() => vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("drops what comes on a stream that nobody reads", async () => {
    const { client } = connected((stream) => {
      stream.ignoreIncoming();
      return true;
    });
    const id = client.open({});
    for (let index = 0; index < 8; index++) client.say(id, "x".repeat(limits.unreadBytes));
    client.send(pingFrame(1));
    await expect.poll(() => client.of("ping")).toHaveLength(1);
  });

  it("is over when the client goes, whatever is still open", async () => {
    const { client, opened, connection, serving } = connected();
    client.open({});
    const stream = await opened(0);
    client.close();
    await serving;
    expect([connection.gone.aborted, stream.gone.aborted]).toEqual([true, true]);
    expect(await joined(stream.incoming)).toBe("");
  });

  it("says that it ends, after all that was said", async () => {
    const { client, opened, connection, serving } = connected();
    const id = client.open({});
    const stream = await opened(0);
    await stream.write(Buffer.from("last words"));
    await stream.end();
    connection.end();
    await expect.poll(() => client.isOver).toBe(true);
    expect(client.heard(id)).toEqual({ text: "last words", isEnded: true, isReset: false });
    expect(client.of("go-away")).toEqual([{ kind: "go-away", lastStreamId: id, status: goAwayStatus.ok }]);
    client.close();
    await serving;
  });

  it("lets streams end when the client goes away, and takes no new ones", async () => {
    const { client, opened, streams, serving } = connected();
    const id = client.open({});
    const stream = await opened(0);
    client.send(goAwayFrame(0, goAwayStatus.ok));
    const late = client.open({});
    await expect.poll(() => client.heard(late).isReset).toBe(true);
    client.say(id, "more", true);
    expect(await joined(stream.incoming)).toBe("more");
    await stream.write(Buffer.from("done"));
    await stream.end();
    await expect.poll(() => client.isOver).toBe(true);
    expect(client.heard(id).text).toBe("done");
    expect(streams).toHaveLength(1);
    client.close();
    await serving;
  });
});

describe("a connection by SPDY is ended, and told why,", () => {
  it.each<readonly [string, (client: SpdyClient) => void]>([
    ["when frames are none", (client) => client.send(Buffer.from("GET / HTTP/1.1\r\n\r\n"))],
    [
      "when headers are not compressed",
      (client) => client.send(Buffer.from("8003000100000012000000010000000000000000000000000000", "hex")),
    ],
    ["when something is said on a stream that was never opened", (client) => client.say(5, "hello")],
    ["when the client answers a stream", (client) => client.send(synReplyFrame(2, Buffer.alloc(0)))],
    [
      "when a number is used again",
      (client) => {
        client.open({});
        client.skipTo(1);
        client.open({});
      },
    ],
    [
      "when a number is the server's",
      (client) => {
        client.skipTo(2);
        client.open({});
      },
    ],
  ])("%s", async (_when, misbehave) => {
    const { client, connection, serving, far } = connected();
    misbehave(client);
    await serving;
    expect(connection.gone.aborted).toBe(true);
    await expect.poll(() => client.of("go-away")).toMatchObject([{ status: goAwayStatus.protocolError }]);
    client.say(1, "more that nobody reads");
    client.close();
    await expect.poll(() => far.destroyed).toBe(true);
  });
});
