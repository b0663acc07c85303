import type { LocalDeps } from "../local-deps.ts";
import { isDiskFull, refusalOf } from "../requests/refusal.ts";
import type { Intent } from "../state/intents.ts";
import { settleIntent } from "./recovery.ts";

/** Does the work with its intent on disk: a crash in the middle is settled at the next start, a failure at once. */
export async function withIntent<T>(deps: LocalDeps, intent: Intent, work: () => Promise<T>): Promise<T> {
  const { intents } = deps.state;
  const { faultPoint, logger } = deps.options;
  if (!(await isWritten(deps, intent))) return work();
  await faultPoint(`${intent.operation}:intent-written`);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    await settleFailure(deps, intent).catch((cause: unknown) => {
      // The next start tries again: the intent is still there.
      logger.error({ intent: intent.id, error: cause }, "a failed operation could not be settled");
    });
    throw error;
  }
  await faultPoint(`${intent.operation}:work-done`);
  await intents.remove(intent.id);
  await faultPoint(`${intent.operation}:intent-removed`);
  return result;
}

/**
 * A full disk must not keep anyone from deleting, which is what makes room. Deletions can do without an intent: the record goes
 * last, so that one that is cut short is asked for again.
 */
async function isWritten({ state, options }: LocalDeps, intent: Intent): Promise<boolean> {
  try {
    await state.intents.put(intent);
    return true;
  } catch (error) {
    const isDeletion = intent.operation === "delete-volume" || intent.operation === "delete-snapshots";
    if (!isDeletion || !isDiskFull(error)) throw error;
    options.logger.warn({ intent: intent.id }, "the disk is full: deleting without an intent on disk");
    return false;
  }
}

/** An expansion that failed is not tried again unasked: an image that is larger than its record says does no harm. */
async function settleFailure(deps: LocalDeps, intent: Intent): Promise<void> {
  if (intent.operation === "expand-volume") await deps.state.intents.remove(intent.id);
  else await settleIntent(deps, intent);
}

/** Runs one call's work alone on its subjects; whatever goes wrong is answered with the name of the first. */
export async function operate<T>(
  deps: LocalDeps,
  subjects: readonly string[],
  work: () => Promise<T>,
  alias?: string,
): Promise<T> {
  try {
    return await deps.state.locks.run(subjects, work);
  } catch (error) {
    throw refusalOf(error, subjects[0] ?? "the driver", alias);
  }
}
