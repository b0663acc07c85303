import type { CallLimits } from "../../sidecar.ts";
import type { RequestSettings } from "../requests/index.ts";
import { type TopologyOptions, topologyDefaults } from "../topology/index.ts";
import type { OwnNode } from "./own-node.ts";

export interface NodeDeploymentOptions extends CallLimits, TopologyOptions, RequestSettings {
  /** From `readOwnNode`. */
  readonly node: OwnNode;
  /** `--node-deployment-immediate-binding`: whether claims that wait for no Pod are taken too. */
  readonly immediateBinding: boolean;
  /** `--node-deployment-base-delay` */
  readonly baseDelayMs: number;
  /** `--node-deployment-max-delay` */
  readonly maxDelayMs: number;
}

export const nodeDeploymentDefaults: Omit<NodeDeploymentOptions, "node"> = {
  ...topologyDefaults,
  timeoutMs: 10_000,
  workers: 100,
  retryInitialMs: 1000,
  retryMaximumMs: 300_000,
  defaultFsType: "",
  extraCreateMetadata: false,
  immediateBinding: true,
  baseDelayMs: 20_000,
  maxDelayMs: 60_000,
};
