import { StowageError } from "@stowage/machinery";

/** A contest that is under way, in this thread or in another. */
export interface Election {
  /** The number of the term; undefined when the wait was given up. */
  readonly acquired: Promise<number | undefined>;
  onLost(listener: (reason: string) => void): void;
  giveUpWaiting(): void;
  release(): Promise<void>;
}

/** What has become of a contest so far, for whoever asks and for whoever asks later. */
export class ElectionState {
  readonly #acquired = Promise.withResolvers<number | undefined>();
  #lostReason: string | undefined;
  #listener: ((reason: string) => void) | undefined;

  constructor() {
    this.acquired.catch(() => {}); // Whoever waits for it hears of it; nobody may be waiting any more.
  }

  get acquired(): Promise<number | undefined> {
    return this.#acquired.promise;
  }

  win(term: number): void {
    this.#acquired.resolve(term);
  }

  giveUp(): void {
    this.#acquired.resolve(undefined);
  }

  lose(reason: string): void {
    this.#lostReason ??= reason;
    this.#acquired.reject(new StowageError("LEADERSHIP_LOST", `the election ended before it was won: ${reason}`));
    this.#listener?.(this.#lostReason);
  }

  onLost(listener: ((reason: string) => void) | undefined): void {
    this.#listener = listener;
    if (this.#lostReason !== undefined) listener?.(this.#lostReason);
  }
}
