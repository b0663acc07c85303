import type { WriteDeps } from "../verbs/index.ts";
import type { NodeAgents } from "./node-agents.ts";

export interface SubresourceDeps extends WriteDeps {
  /** Left out while nothing runs Pods; logs and the like are refused then. */
  readonly agents?: NodeAgents;
}
