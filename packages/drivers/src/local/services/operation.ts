import type { LocalDeps } from "../local-deps.ts";
import { refusalOf } from "../requests/refusal.ts";
import type { Intent } from "../state/intents.ts";
import { settleIntent } from "./recovery.ts";

/** Does the work with its intent on disk: a crash in the middle is settled at the next start, a failure at once. */
export async function withIntent<T>(deps: LocalDeps, intent: Intent, work: () => Promise<T>): Promise<T> {
  const { intents } = deps.state;
  const { faultPoint, logger } = deps.options;
  await intents.put(intent);
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

/** An expansion that failed is not tried again unasked: an image that is larger than its record says does no harm. */
async function settleFailure(deps: LocalDeps, intent: Intent): Promise<void> {
  if (intent.operation === "expand-volume") await deps.state.intents.remove(intent.id);
  else await settleIntent(deps, intent);
}

/** Runs one call's work alone on its subjects; whatever goes wrong is answered with the subject's name. */
export async function operate<T>(deps: LocalDeps, subjects: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await deps.state.locks.run(subjects, work);
  } catch (error) {
    throw refusalOf(error, subjects[0] ?? "the driver");
  }
}
