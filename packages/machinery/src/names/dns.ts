import { byteLength, patternMessage } from "./messages.ts";

const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const label1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";

const labelExpression = new RegExp(`^${labelPattern}$`);
const subdomainExpression = new RegExp(`^${subdomainPattern}$`);
const label1035Expression = new RegExp(`^${label1035Pattern}$`);

const labelMaxLength = 63;
const subdomainMaxLength = 253;

/** One DNS label, as the names of namespaces, containers and volumes. */
export function dns1123LabelErrors(value: string): string[] {
  const errors = tooLongErrors(value, labelMaxLength);
  if (labelExpression.test(value)) return errors;
  if (subdomainExpression.test(value)) return [...errors, "must not contain dots"];
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    "and must start and end with an alphanumeric character";
  return [...errors, patternMessage(rule, labelPattern, ["my-name", "123-abc"])];
}

/** Labels with dots between them, as the names of most objects. */
export function dns1123SubdomainErrors(value: string): string[] {
  const errors = tooLongErrors(value, subdomainMaxLength);
  return subdomainExpression.test(value) ? errors : [...errors, subdomainMessage];
}

const subdomainMessage = patternMessage(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    "and must start and end with an alphanumeric character",
  subdomainPattern,
  ["example.com"],
);

/** A label that begins with a letter, as the names of Services. */
export function dns1035LabelErrors(value: string): string[] {
  const errors = tooLongErrors(value, labelMaxLength);
  if (label1035Expression.test(value)) return errors;
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    "start with an alphabetic character, and end with an alphanumeric character";
  return [...errors, patternMessage(rule, label1035Pattern, ["my-name", "abc-123"])];
}

/** The prefix of a label key is a subdomain too, but Kubernetes tells its length in bytes. */
export function prefixErrors(prefix: string): string[] {
  const errors = byteLength(prefix) > subdomainMaxLength ? [`must be no more than ${subdomainMaxLength} bytes`] : [];
  return subdomainExpression.test(prefix) ? errors : [...errors, subdomainMessage];
}

function tooLongErrors(value: string, maxLength: number): string[] {
  return byteLength(value) > maxLength ? [`must be no more than ${maxLength} characters`] : [];
}
