/** What is wrong with a field of a request, told so that the caller knows what to change. */
export interface Violation {
  readonly code: "INVALID_ARGUMENT" | "OUT_OF_RANGE";
  /** Follows the field's name: "is required: …". */
  readonly problem: string;
}

/** One check of one field; nothing is returned when all is well. */
export type FieldCheck<Value> = (value: Value) => Violation | undefined;

export function invalid(problem: string): Violation {
  return { code: "INVALID_ARGUMENT", problem };
}

export function outOfRange(problem: string): Violation {
  return { code: "OUT_OF_RANGE", problem };
}
