import { createHash } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { type ApiServer, nodeClient, startApiServer } from "../../apiserver/index.ts";
import { clientFiles, heardBy1 } from "../../apiserver/server/fixtures/http-clients.ts";
import { SpdyClient } from "../../spdy/spdy-client.ts";
import { AgentServer } from "./agent-server.ts";
import { LocalAgents } from "./local-agents.ts";
import { TunnelClient } from "./tunnel-client.ts";

/** How kubectl asks for ports: first in a WebSocket, and by SPDY alone where that is refused. */
export type Way = "WebSocket" | "SPDY";

const path = "/api/v1/namespaces/default/pods/p/portforward";
const key = "dGhlIHNhbXBsZSBub25jZQ==";
const tunnelProtocol = "SPDY/3.1+portforward.k8s.io";
const upgrades: Readonly<Record<Way, Readonly<Record<string, string>>>> = {
  WebSocket: {
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": key,
    "sec-websocket-protocol": tunnelProtocol,
  },
  SPDY: { upgrade: "SPDY/3.1", "x-stream-protocol-version": "portforward.k8s.io" },
};

export interface Asked {
  readonly client: SpdyClient;
  /** Where it is a WebSocket. */
  readonly tunnel: TunnelClient | undefined;
}

/** For tests: an API server as it is, a Pod `p` on a node of this process or behind TLS, and what listens on the machine. */
export class ForwardingScene implements AsyncDisposable {
  readonly #undo = new AsyncDisposableStack();
  /** To what listens. */
  readonly sockets = new Set<Socket>();
  #server!: ApiServer;

  static async started(nodes: "in the same process" | "in another process"): Promise<ForwardingScene> {
    const scene = new ForwardingScene();
    const agents = new LocalAgents();
    scene.#server = scene.#undo.use(await startApiServer(nodes === "in the same process" ? { agents } : {}));
    const port = nodes === "in the same process" ? 1 : await scene.#serveNode(agents);
    const status = {
      addresses: [{ type: "InternalIP", address: "127.0.0.1" }],
      daemonEndpoints: { kubeletEndpoint: { Port: port } },
    };
    await scene.#create("/api/v1/nodes", { metadata: { name: "n" }, status });
    await scene.#create("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
    const spec = { nodeName: "n", containers: [{ name: "main", image: "none" }] };
    await scene.#create("/api/v1/namespaces/default/pods", { metadata: { name: "p" }, spec });
    return scene;
  }

  /** A port of the machine, which is one of the Pod. */
  async listening(onConnection: (socket: Socket) => void): Promise<number> {
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.sockets.add(socket.on("error", () => {}).on("close", () => this.sockets.delete(socket)));
      onConnection(socket);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#undo.defer(() => {
      server.close();
      for (const socket of this.sockets) socket.destroy();
    });
    return (server.address() as AddressInfo).port;
  }

  /** As kubectl does it: with a certificate, and without a word of which ports it will be. */
  async ask(way: Way): Promise<Asked> {
    const asking = this.#asking(way);
    const [answer, socket, head] = (await once(asking, "upgrade")) as [IncomingMessage, Duplex, Buffer];
    this.#undo.defer(() => void socket.destroy());
    if (way === "SPDY") {
      const agreed = answer.headers["x-stream-protocol-version"];
      if (agreed !== "portforward.k8s.io") throw new Error(`another protocol was agreed on: ${String(agreed)}`);
      return { client: new SpdyClient(socket, head), tunnel: undefined };
    }
    const { "sec-websocket-protocol": agreed, "sec-websocket-accept": accept } = answer.headers;
    const expected = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    if (agreed !== tunnelProtocol || accept !== expected) throw new Error("another WebSocket was agreed on");
    const tunnel = new TunnelClient(socket, head);
    return { client: new SpdyClient(tunnel), tunnel };
  }

  /** The answer to one who may not. */
  async refusal(way: Way, user: string): Promise<string> {
    const [answer] = (await once(this.#asking(way, user), "response")) as [IncomingMessage];
    const { message } = JSON.parse(await text(answer)) as { message: string };
    return `${answer.statusCode} ${message}`;
  }

  /** Whether the server still answers. */
  async isWell(): Promise<boolean> {
    return (await heardBy1(clientFiles(this.#server.kubeconfig()), { path: "/readyz" })).code === 200;
  }

  #asking(way: Way, user?: string) {
    const kubeconfig = this.#server.kubeconfig(user === undefined ? undefined : { user });
    const { url, ...tls } = clientFiles(kubeconfig);
    const headers = { connection: "Upgrade", ...upgrades[way] };
    const method = way === "SPDY" ? "POST" : "GET";
    return request(new URL(path, url), { ...tls, agent: false, method, headers }).end();
  }

  async #serveNode(agents: LocalAgents): Promise<number> {
    const { certificate: cert, key: secret } = this.#server.issue(nodeClient("n"));
    const tls = { ca: this.#server.authority, cert, key: secret };
    const node = new AgentServer({ nodeName: "n", host: "127.0.0.1", port: 0, tls, agents });
    return await this.#undo.use(node).listen();
  }

  async #create(to: string, object: object): Promise<void> {
    const files = clientFiles(this.#server.kubeconfig());
    const headers = { "content-type": "application/json" };
    const { code, text: said } = await heardBy1(files, {
      method: "POST",
      path: to,
      headers,
      body: JSON.stringify(object),
    });
    if (code !== 201) throw new Error(said);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#undo.disposeAsync();
  }
}
