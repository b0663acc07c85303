import { type Paint, wrapped } from "../explain/text-layout.ts";
import { type StatusNode, type StatusState, worstState } from "./status-node.ts";

const marks: Readonly<Record<StatusState, string>> = { well: "ok", working: "..", bad: "!!", off: "--", unknown: "??" };

/** As a tree, with a mark before each link, and below it in one line what is not well. */
export function statusText(tree: StatusNode, paint: Paint): string {
  return `${[...lines(tree, 0, paint), "", closing(tree)].join("\n")}\n`;
}

function lines(node: StatusNode, depth: number, paint: Paint): string[] {
  const indent = "  ".repeat(depth);
  const version = node.version === undefined ? "" : ` ${node.version}`;
  const facts = node.facts.length === 0 ? "" : paint.faint(` (${node.facts.join(", ")})`);
  const own = `${painted(node.state, paint)} ${indent}${paint.strong(node.name)}${version}${facts}`;
  const says = node.says === undefined ? [] : wrapped(node.says, depth * 2 + 5);
  return [own, ...says, ...node.children.flatMap((child) => lines(child, depth + 1, paint))];
}

function painted(state: StatusState, paint: Paint): string {
  if (state === "well") return paint.good(marks[state]);
  return state === "bad" ? paint.alarming(marks[state]) : marks[state];
}

const closings: Readonly<Record<StatusState, string>> = {
  well: "All is well.",
  off: "All that is wanted is well.",
  unknown: "Of some links nobody says how they are.",
  working: "Something is under way.",
  bad: "Something is not well. Ask `stowage explain` about a claim or a Pod.",
};

function closing(tree: StatusNode): string {
  return closings[worstState(tree)];
}
