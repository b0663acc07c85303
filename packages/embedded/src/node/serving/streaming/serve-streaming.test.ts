import { once } from "node:events";
import { describe, expect, it } from "vitest";
import type { ExecOptions, NodeAgents, TerminalSize } from "../../../apiserver/index.ts";
import type { SpdyClient } from "../../../spdy/spdy-client.ts";
import { StreamingScene } from "./streaming-scene.ts";

const exec = "/exec/a/p/c?command=cat&command=-";
/** As kubectl offers them, the newest first. */
const execProtocols = "v5.channel.k8s.io, v4.channel.k8s.io";
const forwardProtocol = "portforward.k8s.io";

async function joined(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString("utf8");
}

/** In the order in which Kubernetes' own client opens them. */
function opened<Type extends string>(client: SpdyClient, types: readonly Type[]): Record<Type, number> {
  return Object.fromEntries(types.map((type) => [type, client.open({ streamtype: type })])) as Record<Type, number>;
}

const statusOf = (client: SpdyClient, id: number) => JSON.parse(client.heard(id).text || "{}") as unknown;

describe("a command by SPDY", () => {
  it("reads what is typed, and what it writes and how it ended is told", async () => {
    let asked: ExecOptions | undefined;
    await using scene = await StreamingScene.started({
      async exec({ uid, container, node }, options, streams) {
        asked = options;
        await streams.writeStdout(Buffer.from(`${node} ${uid} ${container}: ${await joined(streams.stdin)}`));
        await streams.writeStderr(Buffer.from("warned"));
        return 7;
      },
    });
    const client = await scene.spdy(`${exec}&input=1&output=1&error=1`, execProtocols);
    const { error, stdin, stdout, stderr } = opened(client, ["error", "stdin", "stdout", "stderr"]);
    client.say(stdin, "hel");
    client.say(stdin, "lo", true);
    await expect.poll(() => client.isOver).toBe(true);
    expect(asked).toEqual({
      command: ["cat", "-"],
      hasStdin: true,
      hasStdout: true,
      hasStderr: true,
      isTerminal: false,
    });
    expect(client.heard(stdout)).toEqual({ text: "n u c: hello", isEnded: true, isReset: false });
    expect(client.heard(stderr)).toEqual({ text: "warned", isEnded: true, isReset: false });
    expect(statusOf(client, error)).toMatchObject({
      status: "Failure",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "7" }] },
    });
    client.close();
    await Promise.all(scene.connections);
  });

  it("has nothing to read where nobody types, and is told of when it cannot begin", async () => {
    await using scene = await StreamingScene.started({
      async exec(_container, _options, streams) {
        expect(await joined(streams.stdin)).toBe("");
        throw new Error("it does not run");
      },
    });
    const client = await scene.spdy(`${exec}&output=1`, execProtocols);
    const { error } = opened(client, ["error", "stdout"]);
    await expect.poll(() => client.isOver).toBe(true);
    expect(statusOf(client, error)).toMatchObject({
      code: 500,
      message: expect.stringContaining("it does not run"),
    });
  });

  it("is told of the sizes of its terminal, and says everything the one way", async () => {
    await using scene = await StreamingScene.started({
      async exec(_container, _options, streams) {
        const sizes: TerminalSize[] = [];
        for await (const size of streams.resizes) {
          sizes.push(size);
          if (sizes.length === 2) break;
        }
        await streams.writeStderr(Buffer.from(JSON.stringify(sizes)));
        return 0;
      },
    });
    const client = await scene.spdy(`${exec}&input=1&output=1&tty=1`, execProtocols);
    const { error, stdout, resize } = opened(client, ["error", "stdin", "stdout", "resize"]);
    client.say(resize, '{"Width":80,"Height":24}\nnone\n{"Width":');
    client.say(resize, '100,"Height":30}\n');
    await expect.poll(() => client.isOver).toBe(true);
    const sizes = [
      { columns: 80, rows: 24 },
      { columns: 100, rows: 30 },
    ];
    expect(client.heard(stdout).text).toBe(JSON.stringify(sizes));
    expect(statusOf(client, error)).toEqual({ metadata: {}, status: "Success" });
  });

  it("does not begin before all of its streams are there, of which none is another's or there twice", async () => {
    let hasBegun = false;
    await using scene = await StreamingScene.started({
      async exec() {
        hasBegun = true;
        return 0;
      },
    });
    const client = await scene.spdy(`${exec}&output=1`, execProtocols);
    const { error, stdin, other } = opened(client, ["error", "stdin", "other"]);
    const again = client.open({ streamtype: "error" });
    await expect.poll(() => client.heard(again).isReset).toBe(true);
    expect([error, stdin, other].map((id) => client.heard(id).isReset)).toEqual([false, true, true]);
    expect(hasBegun).toBe(false);
    client.open({ streamtype: "stdout" });
    await expect.poll(() => hasBegun).toBe(true);
  });

  it("is ended when the client goes", async () => {
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    await using scene = await StreamingScene.started({
      async exec(_container, _options, streams, signal) {
        await streams.writeStdout(Buffer.from("begun"));
        await once(signal, "abort");
        resolve();
        return 0;
      },
    });
    const client = await scene.spdy(`${exec}&output=1`, execProtocols);
    const { stdout } = opened(client, ["error", "stdout"]);
    await expect.poll(() => client.heard(stdout).text).toBe("begun");
    client.destroy();
    await ended;
    await Promise.all(scene.connections);
  });

  it("is over for a client that goes before it has begun", async () => {
    await using scene = await StreamingScene.started();
    const client = await scene.spdy(`${exec}&output=1`, execProtocols);
    opened(client, ["error"]);
    client.destroy();
    await expect.poll(() => scene.connections.length).toBe(1);
    await Promise.all(scene.connections);
  });
});

describe("ports by SPDY", () => {
  const echo: NodeAgents["forward"] = async ({ pod }, port, { incoming, write }) => {
    if (port === 9) throw new Error("nobody listens");
    for await (const bytes of incoming) await write(Buffer.from(`${pod}:${port}:${Buffer.from(bytes).toString()}`));
  };
  const half = (client: SpdyClient, streamtype: string, port: string, requestid?: string) =>
    client.open({ streamtype, port, ...(requestid !== undefined && { requestid }) });

  it("are passed on both ways, each connection by its own streams", async () => {
    await using scene = await StreamingScene.started({ forward: echo });
    const client = await scene.spdy("/portForward/a/p", forwardProtocol);
    const errors = [half(client, "error", "80", "0"), half(client, "error", "81", "1")];
    const [second, first] = [half(client, "data", "81", "1"), half(client, "data", "80", "0")];
    client.say(second, "two", true);
    client.say(first, "one", true);
    await expect.poll(() => client.heard(first)).toEqual({ text: "p:80:one", isEnded: true, isReset: false });
    await expect.poll(() => client.heard(second)).toEqual({ text: "p:81:two", isEnded: true, isReset: false });
    for (const id of errors)
      await expect.poll(() => client.heard(id)).toEqual({ text: "", isEnded: true, isReset: false });
    expect(client.isOver).toBe(false);
    client.close();
    await Promise.all(scene.connections);
  });

  it("are told of when nobody listens, and others go on", async () => {
    await using scene = await StreamingScene.started({ forward: echo });
    const client = await scene.spdy("/portForward/a/p", forwardProtocol);
    const [error, data] = [half(client, "error", "9", "0"), half(client, "data", "9", "0")];
    await expect.poll(() => client.heard(error).isEnded).toBe(true);
    expect(client.heard(error).text).toBe("error forwarding port 9 to pod p, uid u: nobody listens");
    expect(client.heard(data).isReset).toBe(true);
    half(client, "error", "80", "1");
    const next = half(client, "data", "80", "1");
    client.say(next, "x", true);
    await expect.poll(() => client.heard(next).text).toBe("p:80:x");
  });

  it("are found by the order of streams where old clients do not say what belongs together", async () => {
    await using scene = await StreamingScene.started({ forward: echo });
    const client = await scene.spdy("/portForward/a/p", forwardProtocol);
    half(client, "error", "80");
    const data = half(client, "data", "80");
    client.say(data, "x", true);
    await expect.poll(() => client.heard(data).text).toBe("p:80:x");
  });

  it.each([
    ["no number", { streamtype: "data", port: "http", requestid: "0" }],
    ["no port", { streamtype: "data", port: "65536", requestid: "0" }],
    ["neither data nor errors", { streamtype: "stdin", port: "80", requestid: "0" }],
  ])("are refused when it is %s", async (_what, headers) => {
    await using scene = await StreamingScene.started();
    const client = await scene.spdy("/portForward/a/p", forwardProtocol);
    const id = client.open(headers);
    await expect.poll(() => client.heard(id).isReset).toBe(true);
  });

  it("are refused when both streams are for the same, or for two ports", async () => {
    await using scene = await StreamingScene.started();
    const client = await scene.spdy("/portForward/a/p", forwardProtocol);
    half(client, "data", "80", "0");
    const [same, other] = [half(client, "data", "80", "0"), half(client, "error", "81", "0")];
    await expect.poll(() => [same, other].map((id) => client.heard(id).isReset)).toEqual([true, true]);
  });
});

describe("a connection that is asked of a kubelet", () => {
  it("may be a WebSocket, as with our own API server", async () => {
    await using scene = await StreamingScene.started({
      async exec(_container, { command }, streams) {
        await streams.writeStdout(Buffer.from(command.join(" ")));
        return 0;
      },
    });
    const url = `ws://127.0.0.1:${scene.port}/exec/a/p/c?command=echo&command=x&output=1`;
    const socket = new WebSocket(url, ["v4.channel.k8s.io"]);
    socket.binaryType = "arraybuffer";
    const heard: string[] = [];
    socket.addEventListener("message", ({ data }) => heard.push(Buffer.from(data as ArrayBuffer).toString("utf8")));
    await once(socket, "close");
    expect(heard).toEqual(["\u0001echo x", '\u0003{"metadata":{},"status":"Success"}']);
  });

  const upgrade = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io" };

  it.each([
    ["of a Pod that is not there", "/exec/a/none/c?command=x&output=1", upgrade, '404 pods "none" not found'],
    ["of one that has another UID", "/exec/a/p/other/c?command=x&output=1", upgrade, '404 pods "p" not found'],
    ["at a path that leads nowhere", "/run/a/p/c", upgrade, "404 the server could not find the requested resource"],
    ["without a command", "/exec/a/p/c?output=1", upgrade, "400 you must specify at least 1 command"],
    [
      "in a protocol that is not spoken",
      "/exec/a/p/c?command=x&output=1",
      { ...upgrade, "x-stream-protocol-version": "channel.k8s.io" },
      "403 unable to negotiate protocol: v4.channel.k8s.io is spoken",
    ],
    [
      "in something else",
      "/exec/a/p/c?command=x&output=1",
      { ...upgrade, upgrade: "h2c" },
      "400 Upgrade request required",
    ],
  ])("is refused %s", async (_what, path, headers, answer) => {
    await using scene = await StreamingScene.started();
    expect(await scene.refused(path, headers)).toBe(answer);
  });
});
