import type { ApiUser } from "../../verbs/api-request.ts";

const nodesGroup = "system:nodes";
const userPrefix = "system:node:";

/** Undefined for whoever is no node; empty for one that does not say which. */
export function nodeNameOf({ name, groups }: ApiUser): string | undefined {
  return name.startsWith(userPrefix) && groups.includes(nodesGroup) ? name.slice(userPrefix.length) : undefined;
}
