import type { Probe } from "@stowage/machinery";

export type ProbeResult = "success" | "failure";

/** How often in a row a probe found the same. */
export class ProbeCount {
  #last: ProbeResult | undefined;
  #times = 0;

  /** Takes a result. Returns it once enough of them have agreed; until then what was known before holds. */
  note(result: ProbeResult, { successThreshold = 1, failureThreshold = 3 }: Probe): ProbeResult | undefined {
    this.#times = this.#last === result ? this.#times + 1 : 1;
    this.#last = result;
    const enough = result === "success" ? successThreshold : failureThreshold;
    return this.#times < enough ? undefined : result;
  }

  /** What was found of one container says nothing of the next. */
  restart(): void {
    this.#times = 0;
  }
}
