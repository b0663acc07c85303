import type { SpdyConnection, SpdyStream } from "../../../spdy/index.ts";
import { type Forwarding, forwardFailure } from "./forward-connection.ts";

export const forwardStreamProtocol = "portforward.k8s.io";

/** How long the second stream of a connection may take to come after the first. */
const OPENING_MS = 60_000;

/** One of the two that each connection to a port has: for its data, and for what goes wrong. */
interface PortHalf {
  readonly type: "data" | "error";
  readonly port: number;
  /** The same for both. */
  readonly requestId: string;
  readonly stream: SpdyStream;
}

/** Any number of connections to ports of a Pod, each of them two streams. Runs until the client has gone. */
export async function runForwardStreams(connection: SpdyConnection, forwarding: Forwarding): Promise<void> {
  const alone = new Map<string, PortHalf>();
  const running = new Set<Promise<void>>();
  await connection.serve((stream) => {
    const half = portHalf(stream);
    if (half === undefined) return false;
    const { type, requestId, port } = half;
    const other = alone.get(requestId);
    if (other === undefined) {
      keepAlone(alone, half);
      return true;
    }
    if (other.type === type || other.port !== port) return false;
    alone.delete(requestId);
    const [data, error] = type === "data" ? [stream, other.stream] : [other.stream, stream];
    const forward = forwardPort(forwarding, port, { data, error }).finally(() => running.delete(forward));
    running.add(forward);
    return true;
  });
  await Promise.all(running);
}

/** Until the other one comes, or too long. */
function keepAlone(alone: Map<string, PortHalf>, half: PortHalf): void {
  const { requestId, stream } = half;
  alone.set(requestId, half);
  const forget = () => {
    clearTimeout(timer);
    if (alone.get(requestId) === half) alone.delete(requestId);
  };
  const timer = setTimeout(() => {
    if (alone.get(requestId) === half) void stream.reset();
  }, OPENING_MS);
  stream.gone.addEventListener("abort", forget, { once: true });
}

/** Undefined when it is none. */
function portHalf(stream: SpdyStream): PortHalf | undefined {
  const { headers, id } = stream;
  const type = headers.get("streamtype");
  const port = Number(headers.get("port"));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return undefined;
  if (type !== "data" && type !== "error") return undefined;
  if (type === "error") stream.ignoreIncoming();
  // Old clients do not say what belongs together: there, the stream for errors comes first and that for data right after it.
  const requestId = headers.get("requestid") ?? `stream ${type === "error" ? id : id - 2}`;
  return { type, port, requestId, stream };
}

interface PortStreams {
  readonly data: SpdyStream;
  readonly error: SpdyStream;
}

async function forwardPort({ agents, pod }: Forwarding, port: number, { data, error }: PortStreams): Promise<void> {
  const stream = { incoming: data.incoming, write: (bytes: Uint8Array) => data.write(bytes) };
  try {
    await agents.forward(pod, port, stream, data.gone);
    await data.end();
  } catch (problem) {
    await error.write(forwardFailure(pod, port, problem));
    await data.reset();
  }
  data.ignoreIncoming();
  await error.end();
}
