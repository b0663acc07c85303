import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { requestInfo } from "../../requests/index.ts";
import type { ApiRequest } from "../../verbs/index.ts";
import { WriteScene } from "../../verbs/writes/write-scene.ts";
import type { NodeAgents } from "../node-agents.ts";
import type { SubresourceDeps } from "../subresource-deps.ts";
import { connectSubresource } from "./connect-subresource.ts";

/** For tests: a Pod `a` on a node, agents that are played, and a real server in front of them. */
export class ConnectScene implements AsyncDisposable {
  readonly scene = new WriteScene();
  readonly deps: SubresourceDeps;
  readonly #server: Server = createServer();
  /** All connections that have begun; each settles when it is over. */
  readonly connections: Promise<void>[] = [];

  private constructor(agents: Partial<NodeAgents>) {
    this.deps = { ...this.scene.deps, agents: { ...deafAgents, ...agents } };
    this.#server.on("upgrade", ({ method = "GET", url = "/", headers }, socket, head) => {
      this.connections.push(connectSubresource(this.deps, this.request(`${method} ${url}`), { headers, socket, head }));
    });
  }

  static async started(agents: Partial<NodeAgents> = {}): Promise<ConnectScene> {
    const started = new ConnectScene(agents);
    await started.scene.store.transact((transaction) => {
      transaction.put(
        "/registry/core/nodes/n",
        text({ status: { addresses: [{ type: "InternalIP", address: "::1" }] } }),
      );
      const spec = { nodeName: "n", containers: [{ name: "main" }] };
      transaction.put(
        "/registry/core/pods/default/a",
        text({ metadata: { name: "a", namespace: "default", uid: "u" }, spec }),
      );
      transaction.put("/registry/core/pods/default/waiting", text({ spec: { containers: [{ name: "main" }] } }));
    });
    started.#server.listen(0, "127.0.0.1");
    await once(started.#server, "listening");
    return started;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  request(line: string): ApiRequest {
    const [method = "", path = ""] = line.split(" ");
    const url = new URL(path, "https://server");
    const info = requestInfo(method, url);
    if (!info.isResource) throw new TypeError(`${line} is about no resource`);
    return {
      info,
      query: url.searchParams,
      user: { name: "tester", groups: [] },
      contentType: undefined,
      userAgent: undefined,
      body: undefined,
      signal: new AbortController().signal,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await Promise.all(this.connections);
    this.scene[Symbol.dispose]();
  }
}

const deafAgents: NodeAgents = {
  // oxlint-disable-next-line require-yield -- it has nothing to say
  async *log() {
    throw new Error("nothing was expected of the log");
  },
  async exec() {
    throw new Error("nothing was expected to run");
  },
  async forward() {
    throw new Error("nothing was expected to be forwarded");
  },
};

function text(object: object): string {
  return JSON.stringify(object);
}
