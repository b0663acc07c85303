import type { EventRecorder } from "@stowage/kube";
import {
  type Clock,
  type Container as ContainerField,
  type HTTPGetAction,
  type LifecycleHandler,
  type Pod,
  StowageError,
} from "@stowage/machinery";
import { goQuote } from "@stowage/machinery/structural";
import type { Container } from "../../runtime/index.ts";
import { commandOutput } from "../probes/command-output.ts";
import { exchangeHttp, spokePlainHttp } from "../probes/http-exchange.ts";
import { desiredHttpRequest } from "../probes/http-request.ts";
import { messageOf } from "../probes/network-failure.ts";
import { podText } from "../values/container-reference.ts";
import { probeHost } from "../values/pod-address.ts";

export interface HookDeps {
  readonly clock: Clock;
  readonly events: EventRecorder;
  /** Of the node. */
  readonly addresses: readonly string[];
}

export interface Hooked {
  readonly pod: Pod;
  readonly field: ContainerField;
  readonly container: Container;
}

/** A server that takes a request and never answers must not keep a Pod for ever. */
const HTTP_TIMEOUT_MS = 30 * 60_000;

/** Runs what is to be done after the start or before the end of a container. Throws `LIFECYCLE_HOOK_FAILED` in kubelet's words. */
export async function runHook(
  deps: HookDeps,
  hooked: Hooked,
  handler: LifecycleHandler,
  signal: AbortSignal,
): Promise<void> {
  const { pod, field, container } = hooked;
  const whose = `for Container ${goQuote(field.name)} in Pod ${goQuote(podText(pod))} failed - error:`;
  if (handler.exec !== undefined) return runCommand(container, handler.exec.command ?? [], { whose, signal });
  if (handler.httpGet !== undefined) {
    const { path = "" } = handler.httpGet;
    return callHttp(deps, hooked, handler.httpGet, signal).catch((error: unknown) => {
      throw new StowageError("LIFECYCLE_HOOK_FAILED", `HTTP lifecycle hook (${path}) ${whose} ${messageOf(error)}`);
    });
  }
  if (handler.sleep !== undefined) {
    const { seconds } = handler.sleep;
    return deps.clock.sleep(seconds * 1000, signal).catch(() => {
      const why = "container terminated before sleep hook finished";
      throw new StowageError("LIFECYCLE_HOOK_FAILED", `Sleep lifecycle hook (${seconds}) ${whose} ${why}`);
    });
  }
  // Nobody has ever run those of `tcpSocket`.
  throw new StowageError("LIFECYCLE_HOOK_FAILED", "Cannot run handler: invalid handler");
}

async function runCommand(
  container: Container,
  command: readonly string[],
  { whose, signal }: { readonly whose: string; readonly signal: AbortSignal },
): Promise<void> {
  const refused = (error: string, output: string) =>
    new StowageError(
      "LIFECYCLE_HOOK_FAILED",
      `Exec lifecycle hook ([${command.join(" ")}]) ${whose} ${error}, message: ${goQuote(output)}`,
    );
  const output = await commandOutput(container, command, { timeoutMs: undefined, signal }).catch((error: unknown) => {
    throw refused(messageOf(error), "");
  });
  const { exitCode, text, complaint } = output;
  if (exitCode !== 0) throw refused(`command '${command.join(" ")}' exited with ${exitCode}: ${complaint}`, text);
}

/** Any answer will do. A server that speaks plain HTTP where HTTPS is expected is asked that way, and it is told. */
async function callHttp(
  deps: HookDeps,
  { pod, field }: Hooked,
  action: HTTPGetAction,
  signal: AbortSignal,
): Promise<void> {
  const time = { timeoutMs: HTTP_TIMEOUT_MS, signal };
  const place = { host: probeHost(pod, action.host, deps.addresses), purpose: "lifecycle" as const };
  const asked = desiredHttpRequest(action, field, place);
  try {
    await exchangeHttp(asked, time);
  } catch (error) {
    if (!spokePlainHttp(error)) throw error;
    const url = asked.url.replace(/^https:/, "http:");
    const headers = asked.headers.filter(({ name }) => name.toLowerCase() !== "authorization");
    await exchangeHttp({ url, headers }, time);
    const what = `request to HTTPS lifecycle hook ${new URL(url).host} got HTTP response, retry with HTTP succeeded`;
    deps.events.event(pod, "Warning", "LifecycleHTTPFallback", what);
  }
}
