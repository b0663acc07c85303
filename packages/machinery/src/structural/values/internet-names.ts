import { byteLength } from "../../names/messages.ts";
import { Regex } from "../regex/regex.ts";
import { parseUrl } from "./url-parsing.ts";

const label = "[a-zA-Z0-9\\p{S}\\p{L}]";
let hostnameExpression: Regex | undefined;

export function isHostname(text: string): boolean {
  hostnameExpression ??= new Regex(
    `^(${label}((-?${label}{0,62})?)|(${label}(([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}${label})?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$`,
  );
  if (!hostnameExpression.test(text) || byteLength(text) > 255) return false;
  return text.split(".").every((part) => byteLength(part) <= 63);
}

/** An address of RFC 5322, with a name before it or without; what Go's parser takes of it in practice. */
export function isEmail(text: string): boolean {
  const trimmed = text.trim();
  const open = trimmed.indexOf("<");
  if (open === -1) return isMailbox(trimmed);
  const name = trimmed.slice(0, open).trim();
  const isName = /^"(?:[^"\\]|\\.)*"$/.test(name) || !/[<>"@,;:\\]/.test(name);
  return isName && trimmed.endsWith(">") && isMailbox(trimmed.slice(open + 1, -1));
}

function isMailbox(text: string): boolean {
  const at = text.lastIndexOf("@");
  if (at <= 0) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  const atom = '[^\\s()<>\\[\\]:;@\\\\,."\\u0000-\\u001f\\u007f]+';
  const dotAtom = new RegExp(`^${atom}(?:\\.${atom})*$`, "u");
  const quoted = /^"(?:[^"\\\r\n]|\\.)*"$/;
  const literal = /^\[[^\]\\\r\n]*\]$/;
  return (dotAtom.test(local) || quoted.test(local)) && (dotAtom.test(domain) || literal.test(domain));
}

/** An absolute URI or an absolute path. */
export function isRequestUri(text: string): boolean {
  return parseUrl(text, true) !== undefined;
}
