import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import type { NodeAgents } from "../../../apiserver/index.ts";
import { SpdyClient } from "../../../spdy/spdy-client.ts";
import { serveStreaming } from "./serve-streaming.ts";

/** For tests: a Pod `p` of a node, agents that are played, and a real server in front of them. */
export class StreamingScene implements AsyncDisposable {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Duplex>();
  /** Each settles when it is over. */
  readonly connections: Promise<void>[] = [];

  private constructor(agents: Partial<NodeAgents>) {
    const deps = { agents: { ...deafAgents, ...agents }, nodeName: "n", uidOf };
    this.#server.on("upgrade", ({ url = "/", headers }, socket, head) => {
      this.#sockets.add(socket);
      this.connections.push(serveStreaming(deps, new URL(url, "https://node"), { headers, socket, head }));
    });
  }

  static async started(agents: Partial<NodeAgents> = {}): Promise<StreamingScene> {
    const scene = new StreamingScene(agents);
    scene.#server.listen(0, "127.0.0.1");
    await once(scene.#server, "listening");
    return scene;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** As Kubernetes' own client does it. */
  async spdy(path: string, protocol: string): Promise<SpdyClient> {
    const headers = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": protocol };
    const asking = request({ host: "127.0.0.1", port: this.port, path, method: "POST", headers }).end();
    const [answer, socket, head] = (await once(asking, "upgrade")) as [IncomingMessage, Duplex, Buffer];
    const agreed = String(answer.headers["x-stream-protocol-version"]);
    if (agreed !== protocol.split(", ").at(-1)) throw new Error(`another protocol was agreed on: ${agreed}`);
    return new SpdyClient(socket, head);
  }

  /** The code and the message of an answer that is no connection. */
  async refused(path: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const asking = request({ host: "127.0.0.1", port: this.port, path, method: "POST", headers }).end();
    const [answer] = (await once(asking, "response")) as [IncomingMessage];
    const { message } = JSON.parse(await text(answer)) as { message: string };
    return `${answer.statusCode} ${message}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await Promise.all(this.connections);
  }
}

async function uidOf(_namespace: string, pod: string): Promise<string | undefined> {
  return pod === "p" ? "u" : undefined;
}

const deafAgents: Pick<NodeAgents, "exec" | "forward"> = {
  async exec() {
    throw new Error("nothing was expected to run");
  },
  async forward() {
    throw new Error("nothing was expected to be forwarded");
  },
};
