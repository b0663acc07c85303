import { StowageError } from "../errors/stowage-error.ts";

export class InvalidQuantityError extends StowageError {
  /** Why, in the words of Kubernetes' API server. */
  readonly reason: string;

  constructor(input: unknown, reason: string) {
    super("INVALID_QUANTITY", `quantity ${JSON.stringify(input)} is not valid: ${reason}`);
    this.reason = reason;
  }
}
