import { once } from "node:events";
import { Agent, request } from "node:https";
import { createAuthority, issueCertificate } from "@stowage/machinery/certificates";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentClient, ItemQueue, type NodeAgents, nodeClient, RemoteAgents } from "../../apiserver/index.ts";
import { AgentServer } from "./agent-server.ts";

const validity = { fromMs: Date.now() - 60_000, untilMs: Date.now() + 3_600_000 };
const authority = createAuthority("test", validity);

function identity({ user, serves }: { readonly user: string; readonly serves?: string }) {
  const names = serves === undefined ? {} : { names: [serves] };
  const { certificate: cert, key } = issueCertificate(authority, {
    commonName: user,
    ...names,
    usages: ["client", "server"],
    validity,
  });
  return { ca: authority.certificate, cert, key };
}

const container = { namespace: "a", pod: "p", uid: "u", container: "c", node: "node-1" };
const logOptions = {
  follow: false,
  previous: false,
  timestamps: false,
  sinceSeconds: undefined,
  sinceTime: undefined,
  tailLines: 3,
  limitBytes: undefined,
};
const execOptions = { command: ["cat"], hasStdin: true, hasStdout: true, hasStderr: true, isTerminal: false };
const never = new AbortController().signal;

/** Settled by what ends when its client has gone; and a port that is read once it is settled. */
let letGo = Promise.withResolvers<void>();
let isRead = Promise.withResolvers<void>();

/** What a node's own agents would answer. */
const played: NodeAgents = {
  async *log({ container: name }, { tailLines }) {
    if (name === "gone") throw new Error(`container "gone" not found`);
    yield Buffer.from(`${name} `);
    yield Buffer.from(`${tailLines}`);
  },
  async exec({ container: name }, { command }, streams, signal) {
    if (name === "gone") throw new Error("it does not run");
    if (name === "long") {
      await streams.writeStdout(Buffer.from("begun"));
      await once(signal, "abort");
      letGo.resolve();
      return 0;
    }
    const typed: Uint8Array[] = [];
    for await (const bytes of streams.stdin) typed.push(bytes);
    await streams.writeStdout(Buffer.concat([Buffer.from(`${command.join(" ")}: `), ...typed]));
    await streams.writeStderr(Buffer.from("warned"));
    return 7;
  },
  async forward(_container, port, { incoming, write }, signal) {
    if (port === 9) throw new Error("nobody listens");
    if (port === 81) return await write(Buffer.from("all of it"));
    if (port === 82) {
      await write(Buffer.from("begun"));
      await once(signal, "abort");
      return letGo.resolve();
    }
    if (port === 83) {
      await isRead.promise;
      for await (const bytes of incoming) await write(bytes);
    }
    for await (const bytes of incoming) await write(Buffer.from(`${port}:${Buffer.from(bytes).toString()}`));
  },
  page: async (node, path) =>
    path === "stats/summary" ? { contentType: "application/json", body: `of ${node}` } : undefined,
};

let server: AgentServer;
let port: number;

beforeEach(async () => {
  letGo = Promise.withResolvers();
  isRead = Promise.withResolvers();
  server = new AgentServer({
    nodeName: "node-1",
    host: "127.0.0.1",
    port: 0,
    tls: identity(nodeClient("node-1")),
    agents: played,
  });
  port = await server.listen();
});

afterEach(() => server[Symbol.asyncDispose]());

const agentsAs = (tls = identity(agentClient)) => new RemoteAgents({ place: () => ({ host: "127.0.0.1", port }), tls });

async function joined(parts: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const part of parts) all.push(part);
  return Buffer.concat(all).toString("utf8");
}

/** By a port that answers everything, and is left then. */
async function answered(words: string): Promise<string> {
  const incoming = new ItemQueue<Uint8Array>();
  const heard = Promise.withResolvers<string>();
  const stream = { incoming, write: async (bytes: Uint8Array) => heard.resolve(Buffer.from(bytes).toString()) };
  const forwarding = agentsAs().forward(container, 80, stream, never);
  incoming.push(Buffer.from(words));
  const answer = await heard.promise;
  incoming.end();
  await forwarding;
  return answer;
}

const empty = () => {
  const queue = new ItemQueue<never>();
  queue.end();
  return queue;
};

describe("a node in another process", () => {
  it("gives its logs to the API server, and says why it cannot", async () => {
    expect(await joined(agentsAs().log(container, logOptions, never))).toBe("c 3");
    const asked = agentsAs().log({ ...container, container: "gone" }, logOptions, never);
    await expect(joined(asked)).rejects.toThrow('container "gone" not found');
  });

  it("runs commands, with what is typed and how they end", async () => {
    const stdin = new ItemQueue<Uint8Array>();
    stdin.push(Buffer.from("hel"));
    stdin.push(Buffer.from("lo"));
    stdin.end();
    const said: string[] = [];
    const hear = (name: string) => async (bytes: Uint8Array) =>
      void said.push(`${name} ${Buffer.from(bytes).toString()}`);
    const streams = { stdin, resizes: empty(), writeStdout: hear("out"), writeStderr: hear("err") };
    expect(await agentsAs().exec(container, execOptions, streams, never)).toBe(7);
    expect(said).toEqual(["out cat: hello", "err warned"]);
    const gone = agentsAs().exec({ ...container, container: "gone" }, execOptions, streams, never);
    await expect(gone).rejects.toThrow("it does not run");
  });

  it("passes ports on, both ways", async () => {
    expect(await answered("ping")).toBe("80:ping");
  });

  it("is done with a port that is, whether the client is or not, and says when nobody listens there", async () => {
    const heard: string[] = [];
    const write = async (bytes: Uint8Array) => void heard.push(Buffer.from(bytes).toString());
    const waiting = () => ({ incoming: new ItemQueue<Uint8Array>(), write });
    await agentsAs().forward(container, 81, waiting(), never);
    expect(heard).toEqual(["all of it"]);
    await expect(agentsAs().forward(container, 9, waiting(), never)).rejects.toThrow("nobody listens");
  });

  it("ends a command when whoever asked has gone", async () => {
    const asked = new AbortController();
    const writeStdout = async () => asked.abort();
    const streams = { stdin: empty(), resizes: empty(), writeStdout, writeStderr: writeStdout };
    const running = agentsAs().exec({ ...container, container: "long" }, execOptions, streams, asked.signal);
    await expect(running).rejects.toThrow("it broke off before the command had ended");
    await letGo.promise;
  });

  it("lets go of a port when whoever asked has gone", async () => {
    const asked = new AbortController();
    const write = async () => asked.abort();
    const forwarding = agentsAs().forward(container, 82, { incoming: new ItemQueue(), write }, asked.signal);
    await expect(forwarding).rejects.toThrow("it broke off before the connection was over");
    await letGo.promise;
  });

  it("passes much on to a port, and no more than is read", async () => {
    // Whoever is held back comes nowhere near the most, however much the systems on the way keep.
    const [piece, most] = [Buffer.alloc(64 * 1024, "x"), 16_000];
    let [taken, enough] = [0, most];
    const incoming = (async function* () {
      for (; taken < enough; taken++) yield piece;
    })();
    let heard = 0;
    const write = async ({ length }: Uint8Array) => {
      heard += length;
    };
    const forwarding = agentsAs().forward(container, 83, { incoming, write }, never);
    await expect.poll(() => taken).toBeGreaterThan(0);
    await expect
      .poll(async () => {
        const before = taken;
        expect(await answered("meanwhile")).toBe("80:meanwhile");
        return taken - before;
      })
      .toBe(0);
    expect(taken).toBeLessThan(most);
    enough = taken;
    isRead.resolve();
    await forwarding;
    expect(heard).toBe(taken * piece.length);
  });

  it("says of itself what it has to say", async () => {
    const page = { contentType: "application/json", body: "of node-1" };
    expect(await agentsAs().page("node-1", "stats/summary", never)).toEqual(page);
    expect(await agentsAs().page("node-1", "other", never)).toBeUndefined();
  });

  it("lets nobody else in: not another node, and not whoever shows nothing", async () => {
    await expect(joined(agentsAs(identity(nodeClient("node-2"))).log(container, logOptions, never))).rejects.toThrow(
      "Forbidden",
    );
    const agent = new Agent({ ca: authority.certificate, servername: "node-1" });
    const answered = new Promise((resolve, reject) => {
      request({ host: "127.0.0.1", port, path: "/log", agent }, resolve).on("error", reject).end();
    });
    await expect(answered).rejects.toThrow(/certificate required|socket hang up|ECONNRESET|EPIPE/u);
    agent.destroy();
  });

  it("is not taken for another one, whatever address that one tells", async () => {
    const asked = agentsAs().log({ ...container, node: "node-2" }, logOptions, never);
    await expect(joined(asked)).rejects.toMatchObject({ code: "NODE_AGENT_UNREACHABLE" });
  });

  it("is told of when it does not answer, or has no address", async () => {
    const tls = identity(agentClient);
    // Nobody listens there: it has another purpose, and is none that a system gives away when any free one is asked for.
    const gone = new RemoteAgents({ place: () => ({ host: "127.0.0.1", port: 1 }), tls });
    await expect(joined(gone.log(container, logOptions, never))).rejects.toMatchObject({
      code: "NODE_AGENT_UNREACHABLE",
    });
    const nowhere = new RemoteAgents({ place: () => undefined, tls });
    await expect(nowhere.page("node-1", "x", never)).rejects.toThrow("its Node has no address");
  });
});
