import type { Informer } from "@stowage/kube";
import type { ClusterCSIDriver, ConfigMap, Secret } from "@stowage/machinery";
import type { ClusterFactsSource, OperatorClient } from "@stowage/operator";
import type { OperatorProgramDeps } from "../program/index.ts";

/** What a driver's own hooks and controllers are made with. */
export interface DriverOperatorContext {
  readonly deps: OperatorProgramDeps;
  readonly operator: OperatorClient<ClusterCSIDriver>;
  readonly facts: ClusterFactsSource;
  /** Of the driver. */
  readonly namespace: string;
  /** Of the driver's namespace, all of them: one watch serves everybody. */
  readonly configMaps: Informer<ConfigMap>;
  readonly secrets: Informer<Secret>;
}
