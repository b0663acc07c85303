import { open } from "node:fs/promises";
import { StowageError, systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { type ClusterAccess, connectToLook } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { containerLogs } from "../explain/container-logs.ts";
import { Facts } from "../explain/facts.ts";
import { subjectKindNamed } from "../explain/subject-kinds.ts";
import { paintFor } from "../explain/text-layout.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";
import { timelinePage } from "../trace/page/timeline-page.ts";
import type { ClaimName } from "../trace/records.ts";
import { redactedTimeline } from "../trace/redaction.ts";
import { proxiedMetrics } from "../trace/sources/call-totals.ts";
import { readRecords } from "../trace/sources/claim-records.ts";
import type { Timeline } from "../trace/step.ts";
import { desiredTimeline } from "../trace/timeline.ts";
import { timelineData } from "../trace/timeline-data.ts";
import { timelineText } from "../trace/timeline-text.ts";

export interface TraceRequest {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: "text" | "json" | "html";
  readonly file?: string;
  /** Somebody looks at what goes to standard output. */
  readonly isTerminal: boolean;
}

/** What a volume went through may be far back in the log of a driver that is busy. */
const LOG_LINES = 5000;

/** Writes the time line of one claim. Returns the exit code. */
export async function runTrace(context: CommandContext, request: TraceRequest): Promise<number> {
  const { terminal } = context;
  if (subjectKindNamed(request.kind) !== "pvc") {
    terminal.err(`stowage trace: "${request.kind}" has no time line; a claim has: stowage trace pvc NAME\n`);
    return exitCodes.usage;
  }
  using cluster = await connectToLook(context, request);
  const namespace = request.namespace ?? cluster.client.defaultNamespace;
  const timeline = await timelineOf({ namespace, name: request.name }, cluster, context.signal);
  const isColoured = request.isTerminal && request.file === undefined;
  const text = writers[request.output](timeline, () => paintFor(isColoured, context.env));
  if (request.file === undefined) terminal.out(text);
  else await save(request.file, text);
  return exitCodes.success;
}

async function timelineOf(subject: ClaimName, cluster: ClusterAccess, signal: AbortSignal): Promise<Timeline> {
  const { client, transport } = cluster;
  const known = new KnownSecrets();
  const log = containerLogs({ transport, signal, lines: LOG_LINES });
  const facts = new Facts({ client, clock: systemClock, known, log });
  const records = await readRecords(subject, { facts, metrics: proxiedMetrics(transport, signal) });
  if (records === undefined) {
    throw new StowageError(
      "TRACE_NOTHING_KNOWN",
      `there is no PersistentVolumeClaim ${subject.namespace}/${subject.name}, and no event of one`,
    );
  }
  return redactedTimeline(desiredTimeline(records, facts.nowMs), known);
}

const writers = {
  text: (timeline: Timeline, paint: () => ReturnType<typeof paintFor>) => timelineText(timeline, paint()),
  json: (timeline: Timeline) => `${JSON.stringify(timelineData(timeline), undefined, 2)}\n`,
  html: (timeline: Timeline) => timelinePage(timeline),
};

async function save(file: string, text: string): Promise<void> {
  try {
    await using opened = await open(file, "w", 0o600);
    // One that was there before may be for everybody; a device or a pipe is left as it is.
    if ((await opened.stat()).isFile()) await opened.chmod(0o600);
    await opened.writeFile(text);
  } catch (error) {
    throw new StowageError("TRACE_FILE_UNUSABLE", `the time line cannot be written to ${file}`, { cause: error });
  }
}
