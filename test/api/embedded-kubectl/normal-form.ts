import type { Heard } from "./shell.ts";

/** A command's output without what no two runs have in common. */
export interface Output {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** In the order in which they are looked for. */
const replaced: readonly (readonly [RegExp, string])[] = [
  [/https:\/\/127\.0\.0\.1:\d+/gu, "<server>"],
  [/127\.0\.0\.1:\d+/gu, "<server>"],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/gu, "<token>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/gu, "<time>"],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000/gu, "<time>"],
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?/gu, "<time>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu, "<uid>"],
  [/(?<=resourceVersion\\?"?: ?\\?")\d+(?=\\?")/gu, "<version>"],
  [/(?<=\b(?:resourceVersion|Resource Version): +)\d+/gu, "<version>"],
  // Any free one.
  [/(?<=nodePort: |NodePort: .*|\d+:|targetPort: )[2-6]\d{4}\b/gu, "<port>"],
  [/\b10\.96\.\d{1,3}\.\d{1,3}\b/gu, "<address>"],
  [/\bkube-api-access-[a-z0-9]{5}\b/gu, "kube-api-access-<random>"],
  [/\/[\w./-]*\/kubectl-edit-\w+\.\w+/gu, "<file>"],
  [/(?<=X509SHA256=)[0-9a-f]+/gu, "<hash>"],
  // Ages; how long something took.
  [/\b(?:\d+d)?(?:\d+h)?(?:\d+m)?\d+(?:\.\d+)?s\b/gu, "<age>"],
  [/<(?:invalid|unknown)> ago/gu, "<age> ago"],
  // A column is as wide as what was in it; an empty one stays.
  [/(?<=<age>|<address>|\bAGE|\bAge|(?:LAST|FIRST) SEEN|CLUSTER-IP) {2,}(?=\S)/gu, "   "],
  [/\s+$/gu, ""],
];

export function normalForm({ code, stdout, stderr }: Heard, isSorted = false): Output {
  const lines = [...linesOf(stdout), ...linesOf(stderr).map((line) => `stderr: ${line}`)];
  return { code, lines: isSorted ? lines.toSorted() : lines };
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return withManagersSorted(text.replace(/\n$/u, "").split("\n").map(normalLine));
}

/** Managers are in the order of their times, which are of whole seconds: it depends on when a second ends. */
function withManagersSorted(lines: readonly string[]): string[] {
  const start = lines.findIndex((line) => line.endsWith("managedFields:"));
  if (start === -1) return [...lines];
  const indent = (lines[start] ?? "").search(/\S/u);
  const isInside = (line: string) =>
    line.startsWith(" ".repeat(indent + 1)) || line.startsWith(`${" ".repeat(indent)}-`);
  const rest = lines.slice(start + 1);
  const length = rest.findIndex((line) => !isInside(line));
  const end = length === -1 ? rest.length : length;
  const managers: string[][] = [];
  for (const line of rest.slice(0, end)) {
    if (line[indent] === "-") managers.push([]);
    managers.at(-1)?.push(line);
  }
  const sorted = managers.toSorted((a, b) => (a.join("\n") < b.join("\n") ? -1 : 1)).flat();
  return [...lines.slice(0, start + 1), ...sorted, ...withManagersSorted(rest.slice(end))];
}

function normalLine(line: string): string {
  return replaced.reduce((result, [pattern, name]) => result.replaceAll(pattern, name), inOrder(line));
}

/** A document on one line, as `--raw` shows it, has its fields in any order. */
function inOrder(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    return sortedText(JSON.parse(line));
  } catch {
    return line;
  }
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (_key, field: unknown) => {
    if (typeof field !== "object" || field === null || Array.isArray(field)) return field;
    return Object.fromEntries(Object.entries(field).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
