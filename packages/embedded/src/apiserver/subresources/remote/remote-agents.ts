import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { addAbortSignal, type Duplex } from "node:stream";
import { text } from "node:stream/consumers";
import { StowageError } from "@stowage/machinery";
import type {
  AgentContainer,
  AgentPage,
  ExecOptions,
  LogOptions,
  NodeAgents,
  PortStream,
  ProcessStreams,
} from "../node-agents.ts";
import { agentPaths, questionPath } from "./agent-paths.ts";
import type { AgentPlace } from "./agent-place.ts";
import { ChannelSocket, channelProtocol, execChannels, forwardChannels } from "./channel-socket.ts";

export interface RemoteAgentsDeps {
  /** Of a node; undefined when it does not say. */
  place(node: string): AgentPlace | undefined;
  /** PEM: whom to trust, and who the API server is to them. */
  readonly tls: { readonly ca: string; readonly cert: string; readonly key: string };
}

/** How long a node may take to begin to answer: it may be busy, and a log may have nothing to say for long. */
const CONNECT_MS = 60_000;

/** Nodes in other processes. Each must show a certificate for its own name: one that tells a wrong address reaches nobody else's. */
export class RemoteAgents implements NodeAgents {
  readonly #deps: RemoteAgentsDeps;

  constructor(deps: RemoteAgentsDeps) {
    this.#deps = deps;
  }

  async page(node: string, path: string, signal: AbortSignal): Promise<AgentPage | undefined> {
    const answer = await this.#ask(node, `${agentPaths.page}${encodeURIComponent(path)}`, signal);
    const body = await text(answer);
    if (answer.statusCode === 404) return undefined;
    if (answer.statusCode !== 200) throw refused(body);
    return { contentType: answer.headers["content-type"] ?? "text/plain", body };
  }

  async *log(container: AgentContainer, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array> {
    const answer = await this.#ask(container.node, questionPath("log", { container, options }), signal);
    if (answer.statusCode !== 200) throw refused(await text(answer));
    yield* answer as AsyncIterable<Uint8Array>;
  }

  async exec(
    container: AgentContainer,
    options: ExecOptions,
    streams: ProcessStreams,
    signal: AbortSignal,
  ): Promise<number> {
    const { socket, head } = await this.#connect(container.node, questionPath("exec", { container, options }), signal);
    const channels = new ChannelSocket(socket);
    const { stdin, resize, stdout, stderr, end } = execChannels;
    const typing = (async () => {
      for await (const bytes of streams.stdin) if (bytes.length > 0) await channels.send(stdin, bytes);
      await channels.send(stdin, new Uint8Array());
    })();
    const resizing = (async () => {
      for await (const size of streams.resizes) await channels.send(resize, Buffer.from(JSON.stringify(size)));
    })();
    // They end with the client; until then nobody waits for them.
    for (const side of [typing, resizing]) side.catch(() => channels.destroy());
    try {
      for await (const { channel, bytes } of channels.messages(head)) {
        if (channel === stdout) await streams.writeStdout(bytes);
        else if (channel === stderr) await streams.writeStderr(bytes);
        else if (channel === end) return exitCodeIn(bytes);
      }
    } finally {
      channels.destroy();
    }
    throw unreachable(container.node, "it broke off before the command had ended");
  }

  async forward(container: AgentContainer, port: number, stream: PortStream, signal: AbortSignal): Promise<void> {
    const { socket, head } = await this.#connect(container.node, questionPath("forward", { container, port }), signal);
    const channels = new ChannelSocket(socket);
    const { data, end } = forwardChannels;
    const sending = (async () => {
      for await (const bytes of stream.incoming) if (bytes.length > 0) await channels.send(data, bytes);
      await channels.send(data, new Uint8Array());
    })();
    // It ends with the client, who may have more to say when the port has not.
    sending.catch(() => channels.destroy());
    try {
      for await (const { channel, bytes } of channels.messages(head)) {
        if (channel === data) await stream.write(bytes);
        else if (channel === end) return checkForwarded(bytes);
      }
    } finally {
      channels.destroy();
    }
    throw unreachable(container.node, "it broke off before the connection was over");
  }

  async #ask(node: string, path: string, signal: AbortSignal): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const asking = request({ ...this.#options(node), path, signal });
    asking.on("response", resolve);
    asking.on("error", (error) => reject(unreachable(node, error.message, error)));
    asking.end();
    return await promise;
  }

  /** A connection that is no longer HTTP. */
  async #connect(node: string, path: string, signal: AbortSignal): Promise<{ socket: Duplex; head: Buffer }> {
    const { promise, resolve, reject } = Promise.withResolvers<{ socket: Duplex; head: Buffer }>();
    const headers = { connection: "Upgrade", upgrade: channelProtocol };
    const asking = request({ ...this.#options(node), path, headers, signal });
    asking.on("upgrade", (_response, socket, head) => {
      // The request is over by now, and the signal means nothing to it any more.
      addAbortSignal(signal, socket);
      resolve({ socket, head });
    });
    asking.on("response", (response) => void text(response).then((why) => reject(refused(why)), reject));
    asking.on("error", (error) => reject(unreachable(node, error.message, error)));
    asking.end();
    return await promise;
  }

  #options(node: string) {
    const place = this.#deps.place(node);
    if (place === undefined) throw unreachable(node, "its Node has no address");
    return { ...place, ...this.#deps.tls, servername: node, agent: false as const, timeout: CONNECT_MS };
  }
}

/** In the agent's own words. */
function refused(why: string): StowageError {
  return new StowageError("CONTAINER_NOT_RUNNING", why);
}

function unreachable(node: string, why: string, cause?: Error): StowageError {
  return new StowageError(
    "NODE_AGENT_UNREACHABLE",
    `the agent of node ${JSON.stringify(node)} was not reached: ${why}`,
    {
      ...(cause !== undefined && { cause }),
    },
  );
}

/** What the agent says at the end of a connection to a port. */
function checkForwarded(bytes: Buffer): void {
  const { problem } = JSON.parse(bytes.toString("utf8")) as { problem?: string };
  if (problem !== undefined) throw refused(problem);
}

/** What the agent says at the end of a command. */
function exitCodeIn(bytes: Buffer): number {
  const { exitCode, problem } = JSON.parse(bytes.toString("utf8")) as { exitCode?: number; problem?: string };
  if (exitCode === undefined) throw refused(problem ?? "unknown");
  return exitCode;
}
