import { once } from "node:events";
import { connect } from "node:net";
import { parseTime, StowageError } from "@stowage/machinery";
import type {
  AgentContainer,
  AgentPage,
  ExecOptions,
  LogOptions,
  NodeAgents,
  PortStream,
  ProcessStreams,
} from "../../apiserver/index.ts";
import type { CommandStreams, Container, ContainerRuntime, LogWish } from "../runtime/index.ts";
import { writeRoom } from "../write-room.ts";

/** What a node says of itself, by path. Undefined for a path of which it says nothing. */
export type NodePages = (path: string, signal: AbortSignal) => Promise<AgentPage | undefined>;

/** Nodes of this very process, as the API server asks them for logs, commands and ports. */
export class LocalAgents implements NodeAgents {
  /** By the name of the node. */
  readonly #runtimes = new Map<string, ContainerRuntime>();
  readonly #pages = new Map<string, NodePages>();

  /** Until it is disposed of. */
  add(node: string, runtime: ContainerRuntime): Disposable {
    this.#runtimes.set(node, runtime);
    return { [Symbol.dispose]: () => void this.#runtimes.delete(node) };
  }

  /** Until it is disposed of. */
  addPages(node: string, pages: NodePages): Disposable {
    this.#pages.set(node, pages);
    return { [Symbol.dispose]: () => void this.#pages.delete(node) };
  }

  async page(node: string, path: string, signal: AbortSignal): Promise<AgentPage | undefined> {
    return this.#pages.get(node)?.(path, signal);
  }

  async *log(asked: AgentContainer, options: LogOptions, signal: AbortSignal): AsyncIterable<Uint8Array> {
    yield* this.#find(asked, options.previous).log(logWish(options), signal);
  }

  async exec(
    asked: AgentContainer,
    options: ExecOptions,
    streams: ProcessStreams,
    signal: AbortSignal,
  ): Promise<number> {
    const container = this.#find(asked, false);
    const own = commandStreams(options, streams);
    if (options.command.length > 0) return container.run(options.command, own, signal);
    await container.attach(own, signal);
    return container.exit?.exitCode ?? 0;
  }

  /** Pods are on the network of the machine. It is over when the port says so: a client that has no more to say may still be waiting. */
  async forward(_asked: AgentContainer, port: number, stream: PortStream, signal: AbortSignal): Promise<void> {
    const socket = connect({ host: "127.0.0.1", port, signal });
    await once(socket, "connect");
    const sending = (async () => {
      for await (const bytes of stream.incoming) if (!socket.write(bytes)) await writeRoom(socket);
      socket.end();
    })();
    sending.catch(() => socket.destroy());
    for await (const bytes of socket as AsyncIterable<Buffer>) await stream.write(bytes);
  }

  #find({ node, uid, container: name, pod }: AgentContainer, isPrevious: boolean): Container {
    const starts = (this.#runtimes.get(node)?.list() ?? [])
      .filter(({ labels }) => labels.podUid === uid && labels.containerName === name)
      .toSorted((a, b) => a.labels.attempt - b.labels.attempt);
    const found = starts.at(isPrevious ? -2 : -1);
    if (found !== undefined) return found;
    const which = isPrevious ? "previous terminated container" : "container";
    throw new StowageError("CONTAINER_NOT_RUNNING", `${which} "${name}" in pod "${pod}" not found`);
  }
}

/** What was not asked for is not there: a command reads nothing then, and a terminal is told no end. */
function commandStreams({ hasStdin, isTerminal }: ExecOptions, streams: ProcessStreams): CommandStreams {
  return {
    writeStdout: (bytes) => streams.writeStdout(bytes),
    writeStderr: (bytes) => streams.writeStderr(bytes),
    ...(hasStdin && { stdin: streams.stdin }),
    ...(isTerminal && { sizes: streams.resizes }),
  };
}

function logWish({ follow, timestamps, tailLines, limitBytes, sinceSeconds, sinceTime }: LogOptions): LogWish {
  const byAge = sinceSeconds === undefined ? undefined : Date.now() - sinceSeconds * 1000;
  const sinceMs = sinceTime === undefined ? byAge : parseTime(sinceTime);
  return { follow, timestamps, tailLines, limitBytes, sinceMs };
}
