import { isCidr, isIpv4, isIpv6, isMac } from "./addresses.ts";
import { isCreditCard, isIsbn10, isIsbn13 } from "./check-digits.ts";
import { isDate, isDateTime } from "./dates.ts";
import { isEmail, isHostname, isRequestUri } from "./internet-names.ts";
import { parseLooseDuration } from "./loose-duration.ts";

const uuid = "[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}";
const shortName = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const channel = "\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*";

/** The formats of texts that the API server enforces, by their names without hyphens. */
const stringFormats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ["bsonobjectid", matching(/^[0-9a-fA-F]{24}$/)],
  ["uri", isRequestUri],
  ["email", isEmail],
  ["hostname", isHostname],
  ["ipv4", isIpv4],
  ["ipv6", isIpv6],
  ["cidr", isCidr],
  ["mac", isMac],
  ["uuid", matching(new RegExp(`^${uuid}$`, "i"))],
  ["uuid3", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ["uuid4", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["uuid5", matching(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ["isbn", (text) => isIsbn10(text) || isIsbn13(text)],
  ["isbn10", isIsbn10],
  ["isbn13", isIsbn13],
  ["creditcard", isCreditCard],
  ["ssn", matching(/^(?=.{11}$)\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ["hexcolor", matching(/^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ["rgbcolor", matching(new RegExp(`^rgb\\(${channel},${channel},${channel}\\)$`))],
  ["byte", matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/)],
  ["password", () => true],
  ["date", isDate],
  ["duration", (text) => parseLooseDuration(text) !== undefined],
  ["datetime", isDateTime],
  ["k8sshortname", matching(new RegExp(`^(?=.{1,63}$)${shortName}$`))],
  ["k8slongname", matching(new RegExp(`^(?=.{1,253}$)${shortName}(\\.${shortName})*$`))],
]);

function matching(expression: RegExp): (text: string) => boolean {
  return (text) => expression.test(text);
}

/** The format as it is, or empty where the API server takes no notice of it. */
export function enforcedFormat(format: string, type: string): string {
  if (type === "" || type === "string") return stringFormats.has(normalized(format)) ? format : "";
  if (type === "integer") return format === "int32" || format === "int64" ? format : "";
  if (type === "number") return format === "float" || format === "double" ? format : "";
  return "";
}

/** Undefined for a format that says nothing about texts. */
export function textHasFormat(text: string, format: string): boolean | undefined {
  return stringFormats.get(normalized(format))?.(text);
}

function normalized(format: string): string {
  return format.replaceAll("-", "");
}
