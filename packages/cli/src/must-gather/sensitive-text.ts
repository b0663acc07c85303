/** What stands in place of a value. */
export const REDACTED = "redacted";

const sensitiveEnd =
  "(?:pass|password|passwd|passphrase|secret|token|credentials?|auth|(?:private|access|api|secret|account|storage|encryption|master|shared)[-_.]?key(?:[-_.]?id)?)";
const sensitiveName = new RegExp(`${sensitiveEnd}$`, "iu");

/** Whether what is called so is nobody's business: `OS_PASSWORD`, `clientSecret`; not `secretName` or `tokenFile`, which only point. */
export function isSensitiveName(name: string): boolean {
  return sensitiveName.test(name);
}

/** What gives itself away wherever it stands: a key, a token, a password in an address. */
const telling: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu, REDACTED],
  [/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/gu, REDACTED],
  [/\b(Bearer|Basic) +[\w+/=.~-]{8,}/gu, `$1 ${REDACTED}`],
  [/\b([a-z][a-z\d+.-]*:\/\/)[^\s/@]+@/giu, `$1${REDACTED}@`],
];

export function withoutTellingParts(text: string): string {
  return telling.reduce((rest, [pattern, replacement]) => rest.replace(pattern, replacement), text);
}

const jsonEntry = new RegExp(`("[^"\\\\]*${sensitiveEnd}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, "giu");
/** `key = value` and `key: value`, of INI files, properties and YAML. */
const entry = new RegExp(`^(\\s*(?:- )?["']?[\\w./ -]*${sensitiveEnd}["']?\\s*[:=])\\s*(.*)$`, "iu");

/** A configuration file of whatever form, without the values of entries with telling names, and without what is below such. */
export function withoutSensitiveEntries(text: string): string {
  const lines = text.replace(jsonEntry, `$1"${REDACTED}"`).split("\n");
  const kept: string[] = [];
  /** Of the entry whose value goes on in the lines below. */
  let above: number | undefined;
  for (const line of lines) {
    const indent = line.search(/\S/u);
    if (above !== undefined && (indent < 0 || indent > above)) continue;
    above = undefined;
    const [, name, value = ""] = entry.exec(line) ?? [];
    if (name === undefined) {
      kept.push(line);
      continue;
    }
    kept.push(`${name} ${REDACTED}`);
    if (/^[|>]?[-+\d]*\s*$/u.test(value)) above = indent;
  }
  return kept.join("\n");
}

const flag = new RegExp(`^(--?[\\w.-]*${sensitiveEnd}=)(?!/).+$`, "isu");
const flagAlone = new RegExp(`^--?[\\w.-]*${sensitiveEnd}$`, "iu");

/** Arguments of a program, without the values of flags with telling names; a path only says where something is. */
export function withoutSensitiveFlags(words: readonly string[]): string[] {
  return words.map((word, index) => {
    const isValue = flagAlone.test(words[index - 1] ?? "") && !word.startsWith("-") && !word.startsWith("/");
    return isValue ? REDACTED : word.replace(flag, `$1${REDACTED}`);
  });
}
