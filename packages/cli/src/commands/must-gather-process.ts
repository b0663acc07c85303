import { resolve } from "node:path";
import { createRestMapper } from "@stowage/kube";
import { formatTime, systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { connectToLook } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { type Gathered, gather } from "../must-gather/gather.ts";
import type { GatherContext } from "../must-gather/gather-context.ts";
import { GatherFolder } from "../must-gather/gather-folder.ts";
import { GatherReport } from "../must-gather/gather-report.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";
import { Patience } from "../must-gather/patience.ts";
import { createProgress } from "../must-gather/progress.ts";
import { type SummaryInput, summaryDocument, summaryText } from "../must-gather/summary.ts";
import { versionText } from "../version-text.ts";

export interface MustGatherRequest {
  readonly folder: string;
  readonly namespace?: readonly string[];
  /** In milliseconds. */
  readonly since?: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: "text" | "json";
  /** Somebody looks at what goes to standard error. */
  readonly isInteractive: boolean;
}

/** Gathers, writes the summary, and says it. Returns the exit code. */
export async function runMustGather(context: CommandContext, request: MustGatherRequest): Promise<number> {
  const { terminal, signal } = context;
  using cluster = await connectToLook(context, request);
  const { client, transport } = cluster;
  const folder = await GatherFolder.create(resolve(request.folder));
  const known = new KnownSecrets();
  const report = new GatherReport(known);
  const progress = createProgress({ terminal, isInteractive: request.isInteractive }, report);
  const gathering: GatherContext = {
    client,
    mapper: createRestMapper({ client, logger: context.logger }),
    transport,
    clock: systemClock,
    signal,
    patience: new Patience({ clock: systemClock, signal }),
    folder,
    report,
    known,
    sinceMs: request.since,
    onProgress: (what) => progress.begun(what),
  };
  const startedMs = systemClock.monotonicMs();
  const fixed = fixedPart(gathering);
  await writeSummary(folder, unfinishedSummary(fixed));
  const ending = await gatherToTheEnd(gathering, request.namespace ?? []).finally(() => progress.ended());
  const summary: SummaryInput = {
    ...fixed,
    report,
    serverVersion: await versionOf(gathering),
    tookMs: Math.round(systemClock.monotonicMs() - startedMs),
    namespaces: ending.gathered?.namespaces ?? [],
    isStrict: ending.gathered?.redaction.isStrict ?? false,
    files: folder.files,
    bytes: folder.bytes,
  };
  terminal.out(request.output === "json" ? jsonOf(summary) : summaryText(summary));
  await writeSummary(folder, summary);
  if (request.output === "text") terminal.out(`Written to ${folder.root}\n`);
  if (signal.aborted) return exitCodes.interrupted;
  if (ending.gathered === undefined) throw ending.failure;
  return report.missing.length === 0 ? exitCodes.success : exitCodes.incomplete;
}

interface Ending {
  readonly gathered?: Gathered;
  readonly failure?: unknown;
}

/** What is there by the time that it is stopped or fails is worth a summary too. */
async function gatherToTheEnd(context: GatherContext, namespaces: readonly string[]): Promise<Ending> {
  try {
    return { gathered: await gather(context, namespaces) };
  } catch (failure) {
    const how = context.signal.aborted ? "was stopped" : "failed";
    context.report.failed(`everything that was not gathered before it ${how}`, failure);
    return { failure };
  }
}

type FixedPart = Pick<SummaryInput, "server" | "stowageVersion" | "startedAt" | "since">;

function fixedPart({ client, clock, sinceMs }: GatherContext): FixedPart {
  return {
    server: client.server,
    stowageVersion: versionText(),
    startedAt: formatTime(clock.nowMs()),
    since: sinceMs === undefined ? undefined : `${sinceMs / 1000} s`,
  };
}

/** Stands in the folder until there is another: a process that is killed can say nothing afterwards. */
function unfinishedSummary(fixed: FixedPart): SummaryInput {
  const report = new GatherReport(new KnownSecrets());
  report.failed(
    "everything that is not in this folder",
    "the gathering has not ended: it goes on still, or its process was killed",
  );
  const nothingYet = { serverVersion: undefined, tookMs: 0, namespaces: [], isStrict: false, files: 0, bytes: 0n };
  return { ...fixed, ...nothingYet, report };
}

async function writeSummary(folder: GatherFolder, summary: SummaryInput): Promise<void> {
  await folder.replace("summary.json", jsonOf(summary));
  await folder.replace("summary.txt", summaryText(summary));
}

function jsonOf(summary: SummaryInput): string {
  return `${JSON.stringify(summaryDocument(summary), null, 2)}\n`;
}

async function versionOf({ mapper, report, patience }: GatherContext): Promise<string | undefined> {
  try {
    return (await patience.call(() => mapper.serverVersion())).gitVersion;
  } catch (error) {
    report.failed("the server's version", error);
    return undefined;
  }
}
