import type { Informer } from "@stowage/kube";
import type { ClusterCSIDriver, ConfigMap, Deployment, Secret } from "@stowage/machinery";
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
  readonly deployments: Informer<Deployment>;
  /** Where the driver's controller is; only for a control plane that is hosted elsewhere. */
  readonly controllerSide?: HostedSide;
}

/** The control plane's namespace in the management cluster. */
export interface HostedSide extends Pick<OperatorProgramDeps, "client" | "mapper"> {
  readonly namespace: string;
  readonly configMaps: Informer<ConfigMap>;
  readonly secrets: Informer<Secret>;
}
