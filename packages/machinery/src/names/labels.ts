import { prefixErrors } from "./dns.ts";
import { byteLength, patternMessage } from "./messages.ts";

const namePattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const valuePattern = `(${namePattern})?`;

const nameExpression = new RegExp(`^${namePattern}$`);
const valueExpression = new RegExp(`^${valuePattern}$`);

const maxLength = 63;
const tooLong = `must be no more than ${maxLength} bytes`;

const nameMessage = patternMessage(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  namePattern,
  ["MyName", "my.name", "123-abc"],
);

/** A name with an optional DNS prefix, such as `app.kubernetes.io/name`: keys of labels and annotations, finalizers. */
export function qualifiedNameErrors(value: string): string[] {
  const parts = value.split("/");
  if (parts.length > 2) {
    return [
      `a valid label key ${nameMessage} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const name = parts.at(-1) ?? "";
  const errors: string[] = [];
  if (parts.length === 2) errors.push(...errorsOfPrefix(parts[0] ?? ""));
  if (name === "") errors.push("name part must be non-empty");
  else if (byteLength(name) > maxLength) errors.push(`name part ${tooLong}`);
  if (!nameExpression.test(name)) errors.push(`name part ${nameMessage}`);
  return errors;
}

function errorsOfPrefix(prefix: string): string[] {
  const errors = prefix === "" ? ["must be non-empty"] : prefixErrors(prefix);
  return errors.map((error) => `prefix part ${error}`);
}

export function labelValueErrors(value: string): string[] {
  const errors = byteLength(value) > maxLength ? [tooLong] : [];
  if (valueExpression.test(value)) return errors;
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    "and must start and end with an alphanumeric character";
  return [...errors, patternMessage(rule, valuePattern, ["MyValue", "my_value", "12345"])];
}
