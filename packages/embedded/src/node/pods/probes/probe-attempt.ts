import { type Container as ContainerField, hasErrorCode, type Pod, type Probe, StowageError } from "@stowage/machinery";
import type { Container } from "../../runtime/index.ts";
import { podText } from "../values/container-reference.ts";
import { probeHost } from "../values/pod-address.ts";
import { expanded } from "../values/variable-expansion.ts";
import { commandOutput } from "./command-output.ts";
import { containerPort } from "./container-port.ts";
import { probeGrpc } from "./grpc-probe.ts";
import { probeHttp } from "./http-probe.ts";
import { desiredHttpRequest } from "./http-request.ts";
import { failure, type ProbeOutcome, type ProbeTime, success } from "./probe-outcome.ts";
import { probeTcp } from "./tcp-probe.ts";

export interface ProbeTarget {
  readonly pod: Pod;
  readonly field: ContainerField;
  readonly container: Container;
  /** Of the node. */
  readonly addresses: readonly string[];
}

/** Probes a container once. Throws when it could not even be tried. */
export async function attemptProbe(target: ProbeTarget, probe: Probe, signal: AbortSignal): Promise<ProbeOutcome> {
  const { pod, field, addresses } = target;
  const time = { timeoutMs: (probe.timeoutSeconds ?? 1) * 1000, signal };
  const host = (wanted: string | undefined) => probeHost(pod, wanted, addresses);
  if (probe.exec !== undefined) return probeCommand(target, probe.exec.command ?? [], time);
  if (probe.httpGet !== undefined) {
    const place = { host: host(probe.httpGet.host), purpose: "probe" as const };
    return probeHttp(desiredHttpRequest(probe.httpGet, field, place), time);
  }
  if (probe.tcpSocket !== undefined) {
    return probeTcp(host(probe.tcpSocket.host), containerPort(probe.tcpSocket.port, field), time);
  }
  if (probe.grpc !== undefined) {
    const { port, service = "" } = probe.grpc;
    return probeGrpc({ host: host(undefined), port, service }, time);
  }
  throw new StowageError("CONTAINER_CONFIG", `missing probe handler for ${podText(pod)}:${field.name}`);
}

async function probeCommand(
  { container, field }: ProbeTarget,
  command: readonly string[],
  time: ProbeTime,
): Promise<ProbeOutcome> {
  // Only what the container's own variables say as they are: those of other objects are not looked up again.
  const own = new Map((field.env ?? []).map(({ name, value }) => [name, value ?? ""]));
  const words = command.map((word) => expanded(word, (name) => own.get(name)));
  try {
    const { exitCode, text } = await commandOutput(container, words, time);
    return exitCode === 0 ? success(text) : failure(text);
  } catch (error) {
    if (hasErrorCode(error, "PROBE_FAILED")) return failure(error.message);
    throw error;
  }
}
