import type { MockDeps } from "../deps.ts";
import type { NodeState } from "./node-state.ts";

export interface NodeDeps extends MockDeps {
  readonly node: NodeState;
}
