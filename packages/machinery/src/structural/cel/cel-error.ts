/** An expression that has no value, such as a key that is not there. `||` and `&&` can do without it. */
export class CelError extends Error {
  override readonly name = "CelError";
}

/** An expression that would take too long. Nothing can do without it. */
export class CelBudgetExceeded extends Error {
  override readonly name = "CelBudgetExceeded";

  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

export function noSuchOverload(): CelError {
  return new CelError("no such overload");
}
