import { systemClock } from "@stowage/machinery";
import { CloudPatience, type DestructionDeps, destroyOwned, isClusterId, listOwned } from "@stowage/operators/destroy";
import type { CommandContext } from "../command.ts";
import { type CloudHints, hintedClouds } from "../destroy/cloud-choice.ts";
import { isConfirmed } from "../destroy/confirmation.ts";
import { openCloud } from "../destroy/open-cloud.ts";
import { createDestroyProgress } from "../destroy/progress.ts";
import { countText, listText, type Outcome, outcomeText, reportDocument } from "../destroy/volume-report.ts";
import { exitCodes } from "../exit-codes.ts";

export interface DestroyOptions extends CloudHints {
  readonly clusterId?: string;
  readonly yes: boolean;
  /** In milliseconds. */
  readonly timeout: number;
  readonly caFile?: string;
  readonly contents: "auto" | "image" | "directory";
  readonly output: "text" | "json";
}

export interface Sitting {
  /** Somebody sits there who can be asked. */
  readonly isInteractive: boolean;
  readonly input: NodeJS.ReadableStream;
}

/** Lists, asks, deletes and tells. Returns the exit code. */
export async function runDestroyVolumes(
  context: CommandContext,
  options: DestroyOptions,
  sitting: Sitting,
): Promise<number> {
  const { terminal, env, signal } = context;
  const { clusterId = "" } = options;
  const hinted = hintedClouds(options, env);
  const [name] = hinted;
  const problem = problemOf(options, hinted);
  if (problem !== undefined || name === undefined) {
    terminal.err(`stowage destroy volumes: ${problem}\n`);
    return exitCodes.usage;
  }
  await using opened = await openCloud(name, { ...options, clusterId }, { ...context, clock: systemClock });
  const { cloud } = opened;
  const deps = { cloud, patience: new CloudPatience(systemClock), clock: systemClock, signal };
  const found = await listOwned(deps, clusterId);
  if (options.output === "text") terminal.out(listText(found));
  const isMeant =
    found.length > 0 && (options.yes || (await isWanted(context, options, { sitting, count: found.length })));
  const outcome: Outcome = isMeant
    ? await destroyUntilStopped(deps, options, { terminal, ...sitting, total: found.length })
    : { kind: "listed" };
  const report = { clusterId, place: cloud.title, found, outcome };
  terminal.out(
    options.output === "json" ? `${JSON.stringify(reportDocument(report), null, 2)}\n` : outcomeText(report),
  );
  return exitCodeOf(outcome, signal);
}

function problemOf({ clusterId, stateDir }: DestroyOptions, hinted: readonly string[]): string | undefined {
  if (clusterId === undefined) return "--cluster-id says whose volumes are meant";
  if (!isClusterId(clusterId)) return `${JSON.stringify(clusterId)} cannot be the id of a cluster`;
  if (hinted.length === 0) return "--cloud says where to look: there is nothing in the environment that would";
  if (hinted.length > 1) return `--cloud says where to look: it could be ${hinted.join(" or ")}`;
  if (hinted[0] === "local" && stateDir === undefined) return "--state-dir says where the local driver keeps volumes";
  return undefined;
}

/** Programs that read JSON are not asked anything. */
async function isWanted(
  { signal }: CommandContext,
  { clusterId = "", output }: DestroyOptions,
  { sitting, count }: { readonly sitting: Sitting; readonly count: number },
): Promise<boolean> {
  if (!sitting.isInteractive || output === "json") return false;
  const question = `Delete ${countText(count)} for good? Type the cluster's id to go on: `;
  return isConfirmed(question, clusterId, { input: sitting.input, signal });
}

async function destroyUntilStopped(
  deps: DestructionDeps,
  { clusterId = "", timeout: timeoutMs }: DestroyOptions,
  view: Parameters<typeof createDestroyProgress>[0],
): Promise<Outcome> {
  let deleted = 0;
  const progress = createDestroyProgress(view);
  try {
    const destroyed = await destroyOwned(deps, {
      clusterId,
      timeoutMs,
      onProgress: (tally) => {
        deleted = tally.accepted.size;
        progress.moved(tally);
      },
    });
    return { kind: "destroyed", ...destroyed };
  } catch (error) {
    if (!deps.signal.aborted) throw error;
    return { kind: "interrupted", deleted };
  } finally {
    progress.ended();
  }
}

function exitCodeOf(outcome: Outcome, signal: AbortSignal): number {
  if (outcome.kind === "interrupted" || signal.aborted) return exitCodes.interrupted;
  return outcome.kind === "destroyed" && outcome.left.length > 0 ? exitCodes.failure : exitCodes.success;
}
