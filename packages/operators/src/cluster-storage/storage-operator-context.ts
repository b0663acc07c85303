import type { Informer } from "@stowage/kube";
import type { ClusterCSIDriver, CSIDriver, Storage } from "@stowage/machinery";
import type { ClusterFactsSource, OperatorClient, OperatorController, ServiceCaProbe } from "@stowage/operator";
import type { OperatorProgramDeps } from "../program/index.ts";
import type { OperatorsSide } from "./operators-side.ts";
import type { TlsSettingsSource } from "./tls-settings-source.ts";

/** What all controllers of the storage operator are made with. */
export interface StorageOperatorContext extends OperatorProgramDeps {
  /** `Storage/cluster`. */
  readonly operator: OperatorClient<Storage>;
  readonly facts: ClusterFactsSource;
  /** Where the operators of drivers are, which is not the cluster that `client` is for when its control plane is hosted. */
  readonly operators: OperatorsSide;
  readonly tlsSettings: TlsSettingsSource;
  readonly driverResources: Informer<ClusterCSIDriver>;
  readonly csiDrivers: Informer<CSIDriver>;
  /** Whether the cluster that operators are in makes serving certificates: asked once for all of them. */
  readonly serviceCa: ServiceCaProbe;
  /** What is made of the cluster's configuration waits until it was looked at. */
  readonly configObserver: OperatorController;
  /** Has the authority that all certificates are made by, where the cluster makes none. */
  readonly certificates: OperatorController;
}
