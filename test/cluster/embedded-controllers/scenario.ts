import type { Pod } from "@stowage/machinery";
import type { Scenario as AnyScenario, Scene as AnyScene } from "../embedded-scenarios/scenario.ts";

/** Of a cluster without nodes, in which the scenario plays kubelet. */
export interface Scene extends AnyScene {
  /** Does to a Pod what kubelet does: runs it, and says that it is ready. */
  runPod(pod: Pod): Promise<void>;
  /** Does so to each Pod that there is or will be, until the scenario ends, and lets those go that are being deleted. */
  startKubelet(): void;
}

export type Scenario = AnyScenario<Scene>;
