import { StowageError } from "@stowage/machinery";

/** Settings in sections, as the drivers of OpenStack are configured. */
export interface IniSection {
  readonly name: string;
  /** In the order in which they were first said; of one that is said twice the last value counts. */
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Sections of the same name are one. Comments begin with `#` or `;`, on a line of their own or after a value; a value in quotes may
 * hold both. Mistakes are told by their line and never by what stands there: such a file may hold a password.
 */
export function parseIni(text: string, where: string): IniSection[] {
  const sections = new Map<string, Map<string, string>>();
  let values = new Map<string, string>();
  for (const { line, number } of logicalLines(text)) {
    const problem = (what: string) => new StowageError("CLOUD_CONFIG_INVALID", `${where}, line ${number}: ${what}`);
    if (line.startsWith("[")) {
      const name = sectionName(line);
      if (name === undefined) throw problem("a section is not written as [name]");
      values = sections.get(name) ?? new Map();
      sections.set(name, values);
      continue;
    }
    const [, key = "", value] = /^([^=:]*)[=:](.*)$/su.exec(line) ?? [];
    if (value === undefined || key.trim() === "") throw problem("this is neither a section nor a key with its value");
    const plain = plainValue(value.trim());
    if (plain === undefined) throw problem("a quote is not closed");
    values.set(key.trim(), plain);
  }
  return [...sections].map(([name, settings]) => ({ name, values: settings }));
}

/** As the originals write it, with the equals signs of a section below each other: another text would restart the driver's Pods. */
export function formatIni(sections: readonly IniSection[]): string {
  return sections.map(formatSection).join("\n");
}

function formatSection({ name, values }: IniSection): string {
  const width = Math.max(...[...values.keys()].map((key) => key.length));
  const lines = [...values].map(([key, value]) => `${key.padEnd(width)} = ${quoted(value)}`);
  return `${[`[${name}]`, ...lines].join("\n")}\n`;
}

/** Lines that say something, each with those that it goes on in after a backslash. */
function* logicalLines(text: string): Generator<{ readonly line: string; readonly number: number }> {
  const lines = text.replace(/^\uFEFF/u, "").split(/\r?\n/u);
  for (let index = 0; index < lines.length; index++) {
    const number = index + 1;
    let line = (lines[index] ?? "").trim();
    if (line === "" || line.startsWith("#") || line.startsWith(";")) continue;
    while (line.endsWith("\\") && index + 1 < lines.length) line = line.slice(0, -1) + (lines[++index] ?? "").trim();
    yield { line, number };
  }
}

function sectionName(line: string): string | undefined {
  const [, name = ""] = /^\[([^\]]*)\]\s*(?:[#;].*)?$/u.exec(line) ?? [];
  return name.trim() || undefined;
}

/** Undefined when a quote is not closed. */
function plainValue(value: string): string | undefined {
  const quote = value.charAt(0);
  if (quote !== '"' && quote !== "'" && quote !== "`") return value.replace(/\s*[#;].*$/su, "");
  // Only a double quote can be escaped; the others end at the next one of their kind.
  const pattern = quote === '"' ? /^"((?:[^"\\]|\\.)*)"/su : new RegExp(`^${quote}([^${quote}]*)${quote}`, "su");
  const [, inner] = pattern.exec(value) ?? [];
  return quote === '"' ? inner?.replaceAll(/\\(["\\])/gu, "$1") : inner;
}

/** Only where it would be read as something else: the driver keeps quotes that need not be there apart from the value as well. */
function quoted(value: string): string {
  const isPlain = value.trim() === value && !/[#;"'`\\]/u.test(value);
  return isPlain ? value : `"${value.replaceAll(/["\\]/gu, "\\$&")}"`;
}
