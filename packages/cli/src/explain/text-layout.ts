/** How much of a line people are shown. */
const WIDTH = 80;

export interface Paint {
  strong(text: string): string;
  alarming(text: string): string;
  good(text: string): string;
  faint(text: string): string;
}

const plain: Paint = { strong: (text) => text, alarming: (text) => text, good: (text) => text, faint: (text) => text };

const code = (number: number) => (text: string) => `\u001B[${number}m${text}\u001B[0m`;
const coloured: Paint = { strong: code(1), alarming: code(31), good: code(32), faint: code(2) };

/** Colours where somebody looks at a terminal, and has not asked for none. */
export function paintFor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint {
  return isTerminal && !env.NO_COLOR ? coloured : plain;
}

/** The text in lines that fit, each with so much space before it; a word that is longer stays whole. */
export function wrapped(text: string, indent: number): string[] {
  const space = " ".repeat(indent);
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && indent + line.length + 1 + word.length > WIDTH) {
        lines.push(space + line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    return [...lines, space + line];
  });
}
