import { createBackoff } from "@stowage/kube";
import { type Clock, hasErrorCode } from "@stowage/machinery";

const BASE_MS = 200;
const MAXIMUM_MS = 20_000;
/** Without a single answer for this long, there is no cloud to wait for. */
const GIVE_UP_AFTER_MS = 180_000;
/** Nor is there one where nothing has ever answered: a wrong address is to be told soon. */
const GIVE_UP_AT_FIRST_AFTER_MS = 10_000;

/** How fast a cloud lets itself be asked. One for all requests: each that is throttled slows the others down too. */
export class CloudPatience {
  readonly #clock: Clock;
  readonly #backoff = createBackoff({ baseMs: BASE_MS, maximumMs: MAXIMUM_MS });
  #notBeforeMs = Number.NEGATIVE_INFINITY;
  #failingSinceMs: number | undefined;
  #hasAnswered = false;
  /** How often a cloud asked for less, or did not answer. */
  retries = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Tried again as long as the cloud throttles or cannot be reached, until it has said nothing else for minutes. */
  async call<Answer>(attempt: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    for (;;) {
      await this.#turn(signal);
      const startedMs = this.#clock.monotonicMs();
      try {
        const answer = await attempt();
        this.#succeeded();
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error)) {
          this.#succeeded();
          throw error;
        }
        // To be throttled is to be answered.
        this.#hasAnswered ||= hasErrorCode(error, "CLOUD_THROTTLED");
        if (this.#isOver()) throw error;
        this.#slowDown(startedMs);
      }
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    for (;;) {
      const waitMs = this.#notBeforeMs - this.#clock.monotonicMs();
      if (waitMs <= 0) return;
      await this.#clock.sleep(waitMs, signal);
    }
  }

  #succeeded(): void {
    this.#hasAnswered = true;
    this.#backoff.reset();
    this.#failingSinceMs = undefined;
  }

  #isOver(): boolean {
    const nowMs = this.#clock.monotonicMs();
    this.#failingSinceMs ??= nowMs;
    const limitMs = this.#hasAnswered ? GIVE_UP_AFTER_MS : GIVE_UP_AT_FIRST_AFTER_MS;
    return nowMs - this.#failingSinceMs >= limitMs;
  }

  /** Requests that were under way together and failed together count once. */
  #slowDown(startedMs: number): void {
    this.retries += 1;
    if (startedMs < this.#notBeforeMs) return;
    this.#notBeforeMs = this.#clock.monotonicMs() + this.#backoff.nextMs();
  }
}

function isPassing(error: unknown): boolean {
  return hasErrorCode(error, "CLOUD_THROTTLED") || hasErrorCode(error, "CLOUD_UNREACHABLE");
}
