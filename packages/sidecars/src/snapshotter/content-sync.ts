import { isCsiError, isFinalError } from "@stowage/csi";
import { isConflict, isNotFound } from "@stowage/kube";
import type { SyncContext, SyncOutcome } from "@stowage/operator";
import { failureText } from "../snapshots/index.ts";
import type { ContentDeps, DriverCall } from "./content-kind.ts";
import { failureChange, statusChange } from "./content-status.ts";
import { type AnyContent, contentStep } from "./content-step.ts";
import { dropIntent, hasIntent, release, writeIntent, writeStatus } from "./content-writes.ts";
import { provesNothingTaken } from "./refusal.ts";

/** Brings one content a step further. What is not ready yet is asked for again, with growing pauses. */
export async function syncContent<T extends AnyContent>(
  deps: ContentDeps<T>,
  key: string,
  context: SyncContext,
): Promise<SyncOutcome> {
  const content = deps.contents.getByKey(key);
  if (content === undefined || deps.kind.isForeign(content)) return undefined;
  try {
    return await takeStep(deps, content, context);
  } catch (error) {
    // Gone while we worked on it.
    if (isNotFound(error) && isAbout(error.status.details, deps.kind.type)) return undefined;
    throw error;
  }
}

function isAbout(details: { group?: string; kind?: string } | undefined, type: { group: string; plural: string }) {
  return details?.group === type.group && details.kind === type.plural;
}

async function takeStep<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  context: SyncContext,
): Promise<SyncOutcome> {
  const { signal } = context;
  switch (stepOf(deps, content)) {
    case "none":
      return undefined;
    case "settle":
      return await afterAnswer(deps, await dropIntent(deps, content), context);
    case "create":
      return await afterAnswer(deps, await create(deps, content, context), context);
    case "query":
      return await afterAnswer(deps, await query(deps, content, signal), context);
    case "delete":
      return (await release(deps, await deleteFromStorage(deps, content, signal)), undefined);
    case "release":
      return (await release(deps, content), undefined);
  }
}

function stepOf<T extends AnyContent>({ kind }: ContentDeps<T>, content: T) {
  return contentStep(content, kind.factsOf(content), kind.names);
}

/** A deletion may have waited for the answer: it goes on at once. */
async function afterAnswer<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  context: SyncContext,
): Promise<SyncOutcome> {
  const next = stepOf(deps, content);
  if (next === "delete" || next === "release") return await takeStep(deps, content, context);
  return content.status?.readyToUse === true ? undefined : { retry: true };
}

async function create<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  { signal, failures }: SyncContext,
): Promise<T> {
  const { kind } = deps;
  const { creationFailed: reason } = kind.reasons;
  const what = `Failed to create ${kind.noun}: failed to take ${kind.noun} of ${kind.subjectOf(content)}`;
  const call = await kind.prepareCreate(content).catch(async (error: unknown) => {
    await recordFailure(deps, content, { reason, what, error, signal });
    throw error;
  });
  // Whose id is known cannot be left behind: what is asked for then is only whether it is ready.
  const isKnown = kind.factsOf(content).handle !== undefined;
  const isRepeated = hasIntent(deps, content);
  const intended = isKnown ? content : await writeIntent(deps, content);
  const told = await call(signal).catch(async (error: unknown) => {
    const isProof = provesNothingTaken(error, { isRepeated, failures });
    const latest = isProof ? await dropIntent(deps, intended) : intended;
    await recordFailure(deps, latest, { reason, what, error, signal });
    throw error;
  });
  return await dropIntent(deps, await writeStatus(deps, intended, statusChange(intended, told)));
}

async function query<T extends AnyContent>(deps: ContentDeps<T>, content: T, signal: AbortSignal): Promise<T> {
  const { kind } = deps;
  const told = await askDriver(kind.prepareQuery(content), signal).catch(async (error: unknown) => {
    const what = `Failed to check and update ${kind.noun} content ${content.metadata.name}`;
    await recordFailure(deps, content, { reason: kind.reasons.checkFailed, what, error, signal });
    throw error;
  });
  return await writeStatus(deps, content, statusChange(content, told));
}

async function askDriver<Answer>(prepared: Promise<DriverCall<Answer>>, signal: AbortSignal): Promise<Answer> {
  const call = await prepared;
  return await call(signal);
}

async function deleteFromStorage<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  signal: AbortSignal,
): Promise<T> {
  const { kind, events } = deps;
  await askDriver(kind.prepareDelete(content), signal).catch((error: unknown) => {
    if (!signal.aborted) {
      const message = `Failed to delete ${kind.noun}: ${failureText(error)}${nextStepOf(error)}`;
      events.event(content, "Warning", kind.reasons.deleteError, message);
    }
    throw error;
  });
  return await writeStatus(deps, content, kind.clearedStatus);
}

interface Failure {
  readonly reason: string;
  readonly what: string;
  readonly error: unknown;
  readonly signal: AbortSignal;
}

/** Said once, however often it happens. That we stopped, or judged by an old version, is nobody's business. */
async function recordFailure<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  { reason, what, error, signal }: Failure,
): Promise<void> {
  if (signal.aborted || isConflict(error)) return;
  const message = `${what}: ${failureText(error)}${nextStepOf(error)}`;
  const change = failureChange(content, message, deps.clock.nowMs());
  if (change === undefined) return;
  deps.events.event(content, "Warning", reason, message);
  await writeStatus(deps, content, change);
}

/** Errors of our own have their next step in their text. */
function nextStepOf(error: unknown): string {
  if (!isCsiError(error)) return "";
  return isFinalError(error)
    ? ". It is tried again; if it goes on, read the driver's log."
    : ". The driver may still be at work: the call is repeated until it answers.";
}
