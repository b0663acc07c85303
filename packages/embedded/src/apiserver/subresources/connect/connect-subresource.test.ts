import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { ExecOptions, NodeAgents, TerminalSize } from "../node-agents.ts";
import { ConnectScene } from "./connect-scene.ts";

const pods = "/api/v1/namespaces/default/pods";

/** A client that has read everything when the server has closed. */
async function conversation(
  scene: ConnectScene,
  path: string,
  send: (socket: WebSocket) => void,
  protocol = "v5.channel.k8s.io",
) {
  const socket = new WebSocket(`ws://127.0.0.1:${scene.port}${path}`, [protocol]);
  socket.binaryType = "arraybuffer";
  const heard: [number, string][] = [];
  socket.addEventListener("message", ({ data }) => {
    const bytes = Buffer.from(data as ArrayBuffer);
    heard.push([bytes[0] ?? -1, bytes.subarray(1).toString("utf8")]);
  });
  await once(socket, "open");
  send(socket);
  const [closed] = await once(socket, "close");
  return { heard, code: (closed as CloseEvent).code, protocol: socket.protocol };
}

const message = (channel: number, text: string) => Buffer.concat([Buffer.of(channel), Buffer.from(text)]);
const statusOf = (heard: readonly [number, string][]) =>
  JSON.parse(heard.find(([channel]) => channel === 3)?.[1] ?? "{}");

async function joined(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString("utf8");
}

describe("exec over a WebSocket", () => {
  it("passes what is typed to the agent, and what the process writes back", async () => {
    let asked: ExecOptions | undefined;
    const exec: NodeAgents["exec"] = async (_container, options, streams) => {
      asked = options;
      const typed = await joined(streams.stdin);
      await streams.writeStdout(Buffer.from(`out ${typed}`));
      await streams.writeStderr(Buffer.from("err"));
      return 0;
    };
    await using scene = await ConnectScene.started({ exec });
    const path = `${pods}/a/exec?command=cat&command=-&stdin=1&stdout=1&stderr=true`;
    const { heard, protocol, code } = await conversation(scene, path, (socket) => {
      socket.send(message(0, "hel"));
      socket.send(message(0, "lo"));
      socket.send(Buffer.of(255, 0));
    });
    expect(asked).toEqual({
      command: ["cat", "-"],
      hasStdin: true,
      hasStdout: true,
      hasStderr: true,
      isTerminal: false,
    });
    expect(heard.slice(0, 2)).toEqual([
      [1, "out hello"],
      [2, "err"],
    ]);
    expect(statusOf(heard)).toEqual({ metadata: {}, status: "Success" });
    expect([protocol, code]).toEqual(["v5.channel.k8s.io", 1000]);
  });

  it("tells how a process ended that failed, and why one did not begin", async () => {
    await using scene = await ConnectScene.started({
      exec: async ({ container }, { command }) => {
        if (command[0] === "none") throw new Error(`no such file in ${container}`);
        return 3;
      },
    });
    const failed = await conversation(scene, `${pods}/a/exec?command=false&stdout=1`, () => {}, "v4.channel.k8s.io");
    expect(statusOf(failed.heard)).toMatchObject({
      status: "Failure",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
    const none = await conversation(scene, `${pods}/a/exec?command=none&stdout=1`, () => {});
    expect(statusOf(none.heard)).toMatchObject({
      reason: "InternalError",
      message: "Internal error occurred: error executing command in container: no such file in main",
    });
  });

  it("passes the size of a terminal on, which has one way out", async () => {
    const { promise, resolve } = Promise.withResolvers<TerminalSize>();
    await using scene = await ConnectScene.started({
      exec: async (_container, _options, { resizes, writeStderr }) => {
        for await (const size of resizes) {
          resolve(size);
          break;
        }
        await writeStderr(Buffer.from("on the terminal"));
        return 0;
      },
    });
    const { heard } = await conversation(scene, `${pods}/a/exec?command=sh&stdin=1&stdout=1&tty=1`, (socket) => {
      socket.send(message(4, "nonsense"));
      socket.send(message(4, '{"Width":80,"Height":24}'));
    });
    expect(await promise).toEqual({ columns: 80, rows: 24 });
    expect(heard[0]).toEqual([1, "on the terminal"]);
  });

  it("ends the process when the client goes away", async () => {
    const ended = Promise.withResolvers<void>();
    await using scene = await ConnectScene.started({
      exec: async (_container, _options, { stdin }, signal) => {
        await joined(stdin);
        if (!signal.aborted) await once(signal, "abort");
        ended.resolve();
        return 0;
      },
    });
    const socket = new WebSocket(`ws://127.0.0.1:${scene.port}${pods}/a/exec?command=sh&stdin=1`, [
      "v5.channel.k8s.io",
    ]);
    await once(socket, "open");
    socket.close();
    await ended.promise;
    await Promise.all(scene.connections);
  });

  it("sends more than a frame's short length, whole", async () => {
    const sizes = [125, 126, 65_535, 65_536, 300_000];
    await using scene = await ConnectScene.started({
      exec: async (_container, _options, { writeStdout }) => {
        for (const size of sizes) await writeStdout(Buffer.alloc(size, "x"));
        return 0;
      },
    });
    const { heard } = await conversation(scene, `${pods}/a/exec?command=yes&stdout=1`, () => {});
    expect(heard.filter(([channel]) => channel === 1).map(([, text]) => text.length)).toEqual(sizes);
  });
});

describe("a connection is refused in HTTP", () => {
  const webSocket = ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="];

  async function refusal(path: string, headers: readonly string[]) {
    await using scene = await ConnectScene.started();
    const socket = connect(scene.port, "127.0.0.1");
    socket.write([`GET ${pods}/${path} HTTP/1.1`, "Host: x", "Connection: Upgrade", ...headers, "", ""].join("\r\n"));
    const parts: Buffer[] = [];
    for await (const part of socket) parts.push(part as Buffer);
    const [head = "", body = ""] = Buffer.concat(parts).toString("utf8").split("\r\n\r\n");
    const { message: why, code } = JSON.parse(body) as { message: string; code: number };
    expect(head).toContain(`HTTP/1.1 ${code} `);
    return [code, why];
  }

  it.each([
    ["none/exec?command=ls&stdout=1", 404, 'pods "none" not found'],
    ["waiting/exec?command=ls&stdout=1", 400, "pod waiting does not have a host assigned"],
    ["a/exec?command=ls&stdout=1&container=x", 400, "container x is not valid for pod a"],
    ["a/exec?stdout=1", 400, "you must specify at least 1 command"],
    ["a/exec?command=ls", 400, "you must specify at least 1 of stdin, stdout, stderr"],
    ["a/portforward", 400, 'query parameter "port" is required'],
  ])("%s", async (path, code, why) => {
    expect(await refusal(path, [...webSocket, "Sec-WebSocket-Protocol: v5.channel.k8s.io"])).toEqual([code, why]);
  });

  it.each<readonly [string, number, readonly string[]]>([
    ["when it is neither a WebSocket nor SPDY", 400, ["Upgrade: h2c"]],
    ["when the WebSocket speaks nothing that is known", 403, [...webSocket, "Sec-WebSocket-Protocol: chat"]],
    ["when SPDY speaks nothing that is known", 403, ["Upgrade: SPDY/3.1", "X-Stream-Protocol-Version: chat"]],
    ["when SPDY does not say what it speaks", 403, ["Upgrade: SPDY/3.1"]],
  ])("%s", async (_when, code, headers) => {
    for (const path of ["a/exec?command=ls&stdout=1", "a/portforward?ports=80"]) {
      expect((await refusal(path, headers))[0]).toBe(code);
    }
  });
});

describe("ports over a WebSocket", () => {
  it("each begin with their number, and carry data both ways", async () => {
    await using scene = await ConnectScene.started({
      forward: async (_pod, port, { incoming, write }) => {
        if (port === 81) throw new Error("nobody listens");
        for await (const bytes of incoming) await write(Buffer.from(`got ${Buffer.from(bytes).toString()}`));
      },
    });
    const socket = new WebSocket(`ws://127.0.0.1:${scene.port}${pods}/a/portforward?ports=80,81`, [
      "v4.channel.k8s.io",
    ]);
    socket.binaryType = "arraybuffer";
    const heard: Buffer[] = [];
    const echoed = Promise.withResolvers<void>();
    socket.addEventListener("message", ({ data }) => {
      heard.push(Buffer.from(data as ArrayBuffer));
      if (heard.length === 6) echoed.resolve();
    });
    await once(socket, "open");
    socket.send(message(0, "ping"));
    await echoed.promise;
    socket.close();
    await Promise.all(scene.connections);
    expect(heard.slice(0, 4)).toEqual([
      Buffer.of(0, 80, 0),
      Buffer.of(1, 80, 0),
      Buffer.of(2, 81, 0),
      Buffer.of(3, 81, 0),
    ]);
    const texts = heard.slice(4).map((bytes) => `${bytes[0]} ${bytes.subarray(1).toString()}`);
    expect(texts.toSorted()).toEqual(["0 got ping", "3 error forwarding port 81 to pod a, uid u: nobody listens"]);
  });
});
