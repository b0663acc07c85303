import type { IncomingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import {
  type AgentContainer,
  ApiError,
  agreedWebSocket,
  badRequest,
  execProtocols,
  forwardPorts,
  forwardProtocols,
  internalError,
  type NodeAgents,
  notFound,
  refuseUpgrade,
  runExec,
  runForward,
  type UpgradeSocket,
  WebSocketConnection,
} from "../../../apiserver/index.ts";
import { SpdyConnection } from "../spdy/index.ts";
import { execStreamProtocol, runExecStreams } from "./exec-streams.ts";
import { forwardStreamProtocol, runForwardStreams } from "./forward-streams.ts";
import { type StreamingQuestion, streamingQuestion } from "./streaming-question.ts";

export interface StreamingDeps {
  readonly nodeName: string;
  /** What answers. */
  readonly agents: Pick<NodeAgents, "exec" | "forward">;
  /** Of a Pod; undefined when there is none. */
  uidOf(namespace: string, pod: string): Promise<string | undefined>;
}

/** After so long without a byte in either direction a connection is over, as with kubelet. */
const IDLE_MS = 4 * 60 * 60_000;

/** What is done on a connection once it is agreed how to speak. */
type Conversation = () => Promise<void>;

/**
 * Answers the connections that a real API server asks kubelets for: commands, attaching, ports. By SPDY, which is what it speaks with every
 * node, or by WebSocket where a client wants that and it is passed on. Whoever asks has been let in already. Settles when the connection is
 * over, and never rejects: whatever is wrong, the other side is told.
 */
export async function serveStreaming(deps: StreamingDeps, url: URL, upgrade: UpgradeSocket): Promise<void> {
  const { socket } = upgrade;
  socket.on("error", () => socket.destroy());
  if ("setTimeout" in socket) (socket as Duplex & TimedSocket).setTimeout(IDLE_MS, () => socket.destroy());
  let conversation: Conversation;
  try {
    conversation = await agreed(deps, streamingQuestion(url), upgrade);
  } catch (error) {
    const why = error instanceof Error ? error.message : "unknown";
    return refuseUpgrade(socket, error instanceof ApiError ? error : internalError(why));
  }
  try {
    await conversation();
  } catch {
    // The other side hears of it by the end of the connection.
    socket.destroy();
  }
}

interface TimedSocket {
  setTimeout(ms: number, onIdle: () => void): void;
}

async function agreed(
  deps: StreamingDeps,
  question: StreamingQuestion,
  { headers, socket, head }: UpgradeSocket,
): Promise<Conversation> {
  const { agents } = deps;
  const asked = await askedContainer(deps, question);
  const isExec = question.kind === "exec";
  const webSocket = agreedWebSocket(headers, isExec ? execProtocols : forwardProtocols);
  if (webSocket !== undefined) {
    const ports = isExec ? [] : forwardPorts(question.ports);
    const connection = new WebSocketConnection(socket, { ...webSocket, head });
    return isExec
      ? () => runExec(connection, { agents, container: asked, options: question.options })
      : () => runForward(connection, { agents, pod: asked, ports });
  }
  const connection = openSpdy({ headers, socket, head }, isExec ? execStreamProtocol : forwardStreamProtocol);
  return isExec
    ? () => runExecStreams(connection, { agents, container: asked, options: question.options })
    : () => runForwardStreams(connection, { agents, pod: asked });
}

async function askedContainer(deps: StreamingDeps, question: StreamingQuestion): Promise<AgentContainer> {
  const { namespace, pod } = question;
  const uid = await deps.uidOf(namespace, pod);
  if (uid === undefined || (question.uid ?? uid) !== uid) throw notFound({ group: "", plural: "pods" }, pod);
  const container = question.kind === "exec" ? question.container : "";
  return { namespace, pod, uid, container, node: deps.nodeName };
}

const spdy = "SPDY/3.1";

/** Throws where it is not SPDY that is asked for, or nothing is said in it that is understood here. */
function openSpdy({ headers, socket, head }: UpgradeSocket, protocol: string): SpdyConnection {
  if (!(headers.upgrade ?? "").toLowerCase().includes(spdy.toLowerCase())) throw badRequest("Upgrade request required");
  if (!spokenProtocols(headers).includes(protocol)) {
    throw new ApiError(403, "Forbidden", `unable to negotiate protocol: ${protocol} is spoken`);
  }
  const lines = ["Connection: Upgrade", `Upgrade: ${spdy}`, `X-Stream-Protocol-Version: ${protocol}`];
  socket.write(`${["HTTP/1.1 101 Switching Protocols", ...lines].join("\r\n")}\r\n\r\n`);
  return new SpdyConnection(socket, head);
}

function spokenProtocols(headers: IncomingHttpHeaders): string[] {
  return [headers["x-stream-protocol-version"] ?? []]
    .flat()
    .flatMap((each) => each.split(","))
    .map((each) => each.trim());
}
