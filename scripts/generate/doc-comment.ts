const lineWidth = 120;

/** The description's first sentence as a doc comment: enough to know the field by; the whole text stays in `openapi/`. */
export function docComment(description: string | undefined, indent: string): string {
  const text = firstSentence(description ?? "");
  if (text === "") return "";
  const single = `${indent}/** ${text} */`;
  if (single.length <= lineWidth) return `${single}\n`;
  const lines = wrap(text, lineWidth - indent.length - 3).map((line) => `${indent} * ${line}\n`);
  return `${indent}/**\n${lines.join("")}${indent} */\n`;
}

function firstSentence(description: string): string {
  const paragraph = (description.split(/\n\s*\n/)[0] ?? "").replaceAll(/\s+/g, " ").trim();
  const withoutLinks = paragraph.replace(/\s*More info: \S+/g, "").replaceAll("*/", "* /");
  const sentence = /^.*?[^.\s]{2}\.(?=\s+["'`(]?[A-Z]|$)(?<!\b(?:e\.g|i\.e|vs|etc|cf)\.)/.exec(withoutLinks);
  return sentence?.[0] ?? withoutLinks;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
