import { once } from "node:events";
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from "node:http2";
import { setTimeout as pause } from "node:timers/promises";
import { goCodeName, grpcCodeOf } from "@stowage/csi";
import { healthRequest, healthStatus } from "./health-message.ts";
import { hostAndPort, messageOf } from "./network-failure.ts";
import { failure, type ProbeOutcome, type ProbeTime, success } from "./probe-outcome.ts";

export interface GrpcTarget {
  readonly host: string;
  readonly port: number;
  readonly service: string;
}

const CONNECT_AGAIN_MS = 1_000;
/** What an answer without a code counts as. */
const UNKNOWN = "2";

/** Whether a server says that it serves. */
export async function probeGrpc(target: GrpcTarget, time: ProbeTime): Promise<ProbeOutcome> {
  const { timeoutMs } = time;
  const signal = AbortSignal.any([time.signal, AbortSignal.timeout(timeoutMs)]);
  const address = hostAndPort(target.host, target.port);
  const session = await connected(address, signal);
  const seconds = `${timeoutMs / 1000}s`;
  if (session === undefined) {
    return failure(`timeout: failed to connect service "${address}" within ${seconds}: context deadline exceeded`);
  }
  try {
    return outcomeOf(await check(session, target, signal));
  } catch (error) {
    if (signal.aborted) return failure(`timeout: health rpc did not complete within ${seconds}`);
    const text = `rpc error: code = Unavailable desc = ${messageOf(error)}`;
    return failure(`error: health rpc probe failed: ${text}`);
  } finally {
    session.destroy();
  }
}

/** Tries until the time is over, as gRPC does: whoever does not listen yet may do so soon. */
async function connected(address: string, signal: AbortSignal): Promise<ClientHttp2Session | undefined> {
  while (!signal.aborted) {
    const session = connect(`http://${address}`);
    // Errors later on are told by the streams.
    session.on("error", () => {});
    try {
      // The settings of the server come first: whoever takes connections and says nothing does not speak gRPC.
      await once(session, "remoteSettings", { signal });
      return session;
    } catch {
      session.destroy();
      await pause(CONNECT_AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
}

interface Answer {
  readonly code: number;
  readonly message: string;
  readonly frame: Buffer;
}

async function check(session: ClientHttp2Session, { service }: GrpcTarget, signal: AbortSignal): Promise<Answer> {
  const stream = session.request({
    [constants.HTTP2_HEADER_METHOD]: "POST",
    [constants.HTTP2_HEADER_PATH]: "/grpc.health.v1.Health/Check",
    "content-type": "application/grpc",
    te: "trailers",
    "user-agent": "kube-probe/1.36",
  });
  const told: IncomingHttpHeaders = {};
  stream.on("response", (headers) => Object.assign(told, headers));
  stream.on("trailers", (headers) => Object.assign(told, headers));
  const stop = () => stream.destroy(new Error("context deadline exceeded"));
  signal.addEventListener("abort", stop, { once: true });
  try {
    stream.end(healthRequest(service));
    const chunks: Buffer[] = [];
    for await (const chunk of stream as AsyncIterable<Buffer>) chunks.push(chunk);
    const { "grpc-status": status = UNKNOWN, "grpc-message": message = "" } = told;
    return { code: Number(status), message: decodeURIComponent(String(message)), frame: Buffer.concat(chunks) };
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

function outcomeOf({ code, message, frame }: Answer): ProbeOutcome {
  const name = grpcCodeOf(code);
  if (name === "UNIMPLEMENTED") {
    const what = "this server does not implement the grpc health protocol (grpc.health.v1.Health)";
    return failure(`error: ${what}: ${message}`);
  }
  if (name !== "OK") {
    return failure(`error: health rpc probe failed: rpc error: code = ${goCodeName(name)} desc = ${message}`);
  }
  const status = healthStatus(frame) ?? "UNKNOWN";
  return status === "SERVING" ? success("service healthy") : failure(`service unhealthy (responded with "${status}")`);
}
