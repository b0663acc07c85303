import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { type ContainerStatus, hasErrorCode, type Pod, StowageError } from "@stowage/machinery";
import type { RedactingContext } from "./gather-context.ts";
import type { TextStream } from "./gather-folder.ts";
import { withoutTellingParts } from "./sensitive-text.ts";

/** A log of which nothing comes for so long will not come. */
const SILENCE_MS = 30_000;
/** Longer lines are written in pieces. */
const LONGEST_LINE = 1024 * 1024;
const BAD_REQUEST = 400;

export interface ContainerLog {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** Of the container before it was last restarted. */
  readonly isPrevious: boolean;
}

/** The logs that there can be of a Pod: none of a container that never ran. */
export function logsOf({ metadata, status = {} }: Pod): ContainerLog[] {
  const { namespace = "", name: pod = "" } = metadata;
  const statuses = [
    ...(status.initContainerStatuses ?? []),
    ...(status.containerStatuses ?? []),
    ...(status.ephemeralContainerStatuses ?? []),
  ];
  return statuses.flatMap((each) => {
    const log = { namespace, pod, container: each.name };
    return [
      ...(hasRun(each) ? [{ ...log, isPrevious: false }] : []),
      ...(each.restartCount > 0 || each.lastState?.terminated !== undefined ? [{ ...log, isPrevious: true }] : []),
    ];
  });
}

function hasRun({ state, restartCount }: ContainerStatus): boolean {
  return (state?.running ?? state?.terminated) !== undefined || restartCount > 0;
}

/** Writes the log as it comes, without what is known to be secret. */
export async function gatherLog(context: RedactingContext, log: ContainerLog): Promise<void> {
  const { clock, folder, report, signal } = context;
  const { namespace, pod, container, isPrevious } = log;
  const file = isPrevious ? "previous.log" : "current.log";
  const what = `${isPrevious ? "previous log" : "log"} of ${namespace}/${pod} ${container}`;
  const startedMs = clock.monotonicMs();
  context.onProgress(what);
  const path = ["namespaces", namespace, "pods", pod, container, container, "logs", file];
  try {
    const open = () => openLog(context, log);
    const bytes = await context.patience.call(() => folder.writeStream(path, open, signal));
    if (bytes > 0) report.done({ what, count: 1, tookMs: clock.monotonicMs() - startedMs });
  } catch (error) {
    signal.throwIfAborted();
    if (hasErrorCode(error, "GATHER_FOLDER_UNUSABLE")) throw error;
    report.failed(what, error);
  }
}

/** Undefined where there is none. */
async function openLog(context: RedactingContext, log: ContainerLog): Promise<TextStream> {
  const { transport, client, signal } = context;
  const path = logPath(log, context.sinceMs);
  const response = await transport.send({
    method: "GET",
    path,
    isStream: true,
    signal,
    responseHeaderTimeoutMs: SILENCE_MS,
  });
  if (response.status === 200) return scrubbed(context, response.body);
  response.body.destroy();
  // Kubelet has thrown the former container's log away.
  if (log.isPrevious && response.status === BAD_REQUEST) return undefined;
  const url = client.server + path.slice(0, path.indexOf("?"));
  throw new StowageError("API_STATUS", `GET ${url}: ${response.status}`, {
    nextStep: `Check that the node of Pod ${log.pod} is up and that the API server reaches its kubelet.`,
  });
}

function logPath({ namespace, pod, container, isPrevious }: ContainerLog, sinceMs: number | undefined): string {
  const query = new URLSearchParams({ container, timestamps: "true" });
  if (isPrevious) query.set("previous", "true");
  if (sinceMs !== undefined) query.set("sinceSeconds", String(Math.max(Math.ceil(sinceMs / 1000), 1)));
  return `/api/v1/namespaces/${namespace}/pods/${pod}/log?${query.toString()}`;
}

/** Line by line, or nearly. */
async function* scrubbed({ redaction: { known } }: RedactingContext, body: Readable): AsyncGenerator<string> {
  const scrub = (text: string) => known.scrub(withoutTellingParts(text));
  const decoder = new StringDecoder("utf8");
  const silence = setTimeout(() => body.destroy(new Error("nothing came for a while")), SILENCE_MS);
  let rest = "";
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      silence.refresh();
      const text = rest + decoder.write(chunk);
      const end = text.length > LONGEST_LINE ? text.length : text.lastIndexOf("\n") + 1;
      rest = text.slice(end);
      yield scrub(text.slice(0, end));
    }
    yield scrub(rest + decoder.end());
  } finally {
    clearTimeout(silence);
  }
}
