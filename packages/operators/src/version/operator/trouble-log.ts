import type { Logger } from "@stowage/machinery";
import type { Trouble } from "../apply/index.ts";

/** Tells in the log what keeps the payload from being done: once for each, since passes that wait are repeated every second. */
export class TroubleLog {
  readonly #logger: Logger;
  #told: string | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  note(trouble: Trouble | undefined): void {
    if (trouble?.message === this.#told) return;
    this.#told = trouble?.message;
    if (trouble === undefined) return;
    const { effect, reason, message } = trouble;
    this.#logger[effect === "wait" ? "info" : "warn"]({ reason, message }, "the payload is not done");
  }
}
