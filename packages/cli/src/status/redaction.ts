import { withoutTellingParts } from "../must-gather/sensitive-text.ts";
import type { StatusNode } from "./status-node.ts";

/** Conditions carry the words of drivers and clouds: what looks like a key or a token is left out. */
export function redactedStatus(node: StatusNode): StatusNode {
  const says = node.says === undefined ? {} : { says: withoutTellingParts(node.says) };
  return { ...node, ...says, children: node.children.map(redactedStatus) };
}
