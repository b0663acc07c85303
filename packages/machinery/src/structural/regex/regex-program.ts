import type { CharacterSet } from "./character-set.ts";
import { type Assertion, type RegexNode, RegexSyntaxError } from "./regex-syntax.ts";

/** A step of the machine that runs a pattern. Of two ways to go on, the first is preferred. */
export type Instruction =
  | { readonly op: "take"; readonly set: CharacterSet }
  | { readonly op: "split"; readonly first: number; readonly second: number }
  | { readonly op: "jump"; readonly to: number }
  | { readonly op: "assert"; readonly at: Assertion }
  | { readonly op: "match" };

const mostInstructions = 50_000;

export function compileRegex(node: RegexNode, pattern: string): readonly Instruction[] {
  const program: Instruction[] = [];
  emit(node, program, pattern);
  program.push({ op: "match" });
  return program;
}

function emit(node: RegexNode, program: Instruction[], pattern: string): void {
  if (program.length > mostInstructions) throw new RegexSyntaxError("expression too large", pattern);
  switch (node.kind) {
    case "empty":
      return;
    case "set":
      program.push({ op: "take", set: node.set });
      return;
    case "assert":
      program.push({ op: "assert", at: node.at });
      return;
    case "sequence":
      for (const part of node.parts) emit(part, program, pattern);
      return;
    case "choice":
      emitChoice(node.parts, program, pattern);
      return;
    case "repeat":
      emitRepeat(node, program, pattern);
  }
}

function emitChoice(parts: readonly RegexNode[], program: Instruction[], pattern: string): void {
  const ends: number[] = [];
  for (const [position, part] of parts.entries()) {
    if (position === parts.length - 1) {
      emit(part, program, pattern);
      continue;
    }
    const split = reserve(program);
    emit(part, program, pattern);
    ends.push(reserve(program));
    program[split] = { op: "split", first: split + 1, second: program.length };
  }
  for (const end of ends) program[end] = { op: "jump", to: program.length };
}

function emitRepeat(node: RegexNode & { kind: "repeat" }, program: Instruction[], pattern: string): void {
  const { part, least, most, greedy } = node;
  for (let count = 0; count < least; count++) emit(part, program, pattern);
  if (most === Number.POSITIVE_INFINITY) {
    const split = reserve(program);
    emit(part, program, pattern);
    program.push({ op: "jump", to: split });
    program[split] = branch(split + 1, program.length, greedy);
    return;
  }
  const splits: number[] = [];
  for (let count = least; count < most; count++) {
    splits.push(reserve(program));
    emit(part, program, pattern);
  }
  for (const split of splits) program[split] = branch(split + 1, program.length, greedy);
}

function branch(inside: number, after: number, greedy: boolean): Instruction {
  return greedy ? { op: "split", first: inside, second: after } : { op: "split", first: after, second: inside };
}

/** Keeps a place for a jump whose target is not known yet. */
function reserve(program: Instruction[]): number {
  program.push({ op: "jump", to: program.length + 1 });
  return program.length - 1;
}
