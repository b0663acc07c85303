import { ApiStatusError, type KubeClient, type NewObject } from "@stowage/kube";
import type { Clock, KubernetesObject, ResourceType } from "@stowage/machinery";

export interface ReviewDeps {
  readonly client: Pick<KubeClient, "create">;
  readonly clock: Clock;
}

const ATTEMPTS = 3;
const FIRST_PAUSE_MS = 250;
/** Who scrapes waits 10 seconds by default; an answer that comes later helps nobody. */
const TIMEOUT_MS = 8_000;

/**
 * Asks the API server to judge something. Nothing is written by it, so unlike other posts it may be repeated when the connection or the
 * server fails.
 */
export async function requestReview<T extends KubernetesObject>(
  { client, clock }: ReviewDeps,
  type: ResourceType<T>,
  review: NewObject<T>,
): Promise<T> {
  const deadlineMs = clock.monotonicMs() + TIMEOUT_MS;
  for (let attempt = 1; ; attempt++) {
    const timeoutMs = deadlineMs - clock.monotonicMs();
    try {
      return await client.create(type, review, { timeoutMs });
    } catch (error) {
      const pauseMs = FIRST_PAUSE_MS * attempt;
      if (attempt === ATTEMPTS || isRefusal(error) || clock.monotonicMs() + pauseMs >= deadlineMs) throw error;
      await clock.sleep(pauseMs);
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiStatusError && error.httpStatus < 500;
}
