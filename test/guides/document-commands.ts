import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const checkout = fileURLToPath(new URL("../../", import.meta.url));

/** A command that a reader of a document may type. */
export interface DocumentCommand {
  readonly document: string;
  readonly line: number;
  /** As a shell gets it: without the comment behind it, with the lines that belong to it. */
  readonly text: string;
  /** What the document says that it prints. */
  readonly prints: string;
}

/** Of readers: README and guides first read, the drivers' pages after them. */
export const documents: readonly string[] = [
  "README.md",
  ...globSync("docs/{guides,drivers}/*.md", { cwd: checkout }).toSorted(),
];

export function commandsIn(document: string): DocumentCommand[] {
  return parseCommands(document, readFileSync(join(checkout, document), "utf8"));
}

/** The text of a document's block of that language, after a line. */
export function blockAfter(document: string, language: string, line: number): string {
  const lines = readFileSync(join(checkout, document), "utf8").split("\n").slice(line);
  const begin = lines.indexOf(`\`\`\`${language}`);
  return lines.slice(begin + 1, lines.indexOf("```", begin + 1)).join("\n");
}

function parseCommands(document: string, text: string): DocumentCommand[] {
  return blocksOf(text).flatMap(({ language, line, lines }) => {
    if (language === "console") return fromConsole(lines).map(at(document, line));
    return language === "sh" ? fromScript(lines).map(at(document, line)) : [];
  });
}

interface Block {
  readonly language: string;
  /** Of its first line, counted from one. */
  readonly line: number;
  readonly lines: readonly string[];
}

interface Found {
  /** In its block. */
  readonly index: number;
  readonly text: string;
  readonly prints: string;
}

const at =
  (document: string, firstLine: number) =>
  ({ index, text, prints }: Found): DocumentCommand => ({ document, line: firstLine + index, text, prints });

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: { language: string; line: number; indent: number; lines: string[] } | undefined;
  for (const [index, line] of text.split("\n").entries()) {
    const fence = /^(?<indent> *)```(?<language>\w*)$/u.exec(line)?.groups;
    if (open === undefined && fence !== undefined) {
      const { indent = "", language = "" } = fence;
      open = { language, line: index + 2, indent: indent.length, lines: [] };
    } else if (open !== undefined && fence !== undefined) {
      blocks.push(open);
      open = undefined;
    } else {
      open?.lines.push(line.slice(open.indent));
    }
  }
  return blocks;
}

/** `$ command`, and what it prints until the next. */
function fromConsole(lines: readonly string[]): Found[] {
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  return starts.map((index, nth) => ({
    index,
    text: withoutComment(lines[index]?.slice(2) ?? ""),
    prints: lines.slice(index + 1, starts[nth + 1]).join("\n"),
  }));
}

/** A command for each line, but for those that a backslash or a here-document holds together. */
function fromScript(lines: readonly string[]): Found[] {
  const found: Found[] = [];
  for (let index = 0; index < lines.length; ) {
    const length = lengthOf(lines, index);
    const [first = "", ...rest] = lines.slice(index, index + length);
    const text = length === 1 ? withoutComment(first) : [first, ...rest].join("\n");
    if (text.trim() !== "") found.push({ index, text, prints: "" });
    index += length;
  }
  return found;
}

function lengthOf(lines: readonly string[], index: number): number {
  const line = lines[index] ?? "";
  const end = /<<'?(?<word>[A-Z]+)'?/u.exec(line)?.groups?.["word"];
  if (end !== undefined) return lines.indexOf(end, index) - index + 1;
  return line.endsWith("\\") ? 1 + lengthOf(lines, index + 1) : 1;
}

function withoutComment(line: string): string {
  return line.replace(/(?:^|\s+)# .*$/u, "");
}
