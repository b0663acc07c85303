import { StowageError } from "../errors/stowage-error.ts";

export class InvalidSelectorError extends StowageError {
  /** Why, in the words of Kubernetes' API server. */
  readonly reason: string;

  constructor(selector: string, reason: string) {
    super("INVALID_SELECTOR", `selector ${JSON.stringify(selector)} is not valid: ${reason}`);
    this.reason = reason;
  }
}
