import { ApiStatusError } from "@stowage/kube";
import type { Clock } from "@stowage/machinery";

/** Beside the tries that the client makes by itself within one call. */
const ATTEMPTS = 3;
/** Where connections break and others are answered meanwhile: the server is there, and it is only a matter of luck. */
const LUCKLESS_ATTEMPTS = 10;
const WAIT_MS = 500;
/** After so many calls in a row that have failed for good, the next is not waited for: hundreds may follow. */
const HOPELESS = 8;

/** Calls again where that may help: a server that answers half of the time is to be asked twice, one that says no is not. */
export class Patience {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #failedInARow = 0;
  #answered = 0;

  constructor({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }) {
    this.#clock = clock;
    this.#signal = signal;
  }

  async call<T>(act: () => Promise<T>): Promise<T> {
    const isHopeless = this.#failedInARow >= HOPELESS;
    const answeredBefore = this.#answered;
    for (let attempt = 1; ; attempt++) {
      try {
        const answer = await act();
        this.#failedInARow = 0;
        this.#answered++;
        return answer;
      } catch (error) {
        this.#signal.throwIfAborted();
        if (isFinal(error)) {
          this.#failedInARow = 0;
          throw error;
        }
        const isLuckless = !(error instanceof ApiStatusError) && this.#answered > answeredBefore;
        const attempts = isLuckless ? LUCKLESS_ATTEMPTS : ATTEMPTS;
        if (isHopeless || attempt >= attempts) {
          this.#failedInARow++;
          throw error;
        }
        await this.#clock.sleep(WAIT_MS * Math.min(attempt, ATTEMPTS), this.#signal);
      }
    }
  }
}

function isFinal(error: unknown): boolean {
  return error instanceof ApiStatusError && error.httpStatus < 500 && error.httpStatus !== 429;
}
