/** A page of docs/reference, with where it comes from. */
export function page(title: string, source: string, lines: readonly string[]): string {
  const notice = `<!-- Generated from ${source} by \`npm run generate\`. Do not edit. -->`;
  return `${[`# ${title}`, "", notice, "", ...lines].join("\n")}\n`;
}

/** Rows of a table; a bar would begin another column. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)];
}
