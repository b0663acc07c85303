import type { Status } from "../../api/index.ts";
import { goQuote } from "../../go-text/index.ts";
import { type FieldError, fieldErrorText } from "./field-error.ts";

export interface InvalidObject {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/** The answer to an object that cannot be stored as it is: 422, with a cause for each field. */
export function invalidStatus({ group, kind, name }: InvalidObject, errors: readonly FieldError[]): Status {
  const qualified = group === "" ? kind : `${kind}.${group}`;
  const sentence = `${qualified} ${goQuote(name)} is invalid`;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: errors.length === 0 ? sentence : `${sentence}: ${aggregateText(errors)}`,
    reason: "Invalid",
    details: {
      name,
      ...(group !== "" && { group }),
      kind,
      ...(errors.length > 0 && {
        causes: errors.map(({ type, body, field }) => ({ reason: type, message: body, field })),
      }),
    },
    code: 422,
  };
}

/** Each sentence once, in brackets when there are several. */
function aggregateText(errors: readonly FieldError[]): string {
  const sentences = [...new Set(errors.map(fieldErrorText))];
  return sentences.length === 1 ? (sentences[0] ?? "") : `[${sentences.join(", ")}]`;
}
