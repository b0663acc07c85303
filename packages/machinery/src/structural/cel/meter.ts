import { CelBudgetExceeded } from "./cel-error.ts";

/** What one evaluation may cost: about a tenth of a second of the API server's time. */
const perCallLimit = 1_000_000;

/** Counts what an evaluation costs, in the units of the API server, and ends it when that is too much. */
export class Meter {
  #spent = 0;
  readonly #limit: number;

  constructor(limit = perCallLimit) {
    this.#limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  spend(cost: number): void {
    this.#spent += cost;
    if (this.#spent > this.#limit) throw new CelBudgetExceeded();
  }
}
