/**
 * What is observed of the cluster. `config-observer-controller.ts` writes it into `spec.observedConfig`; `config-observers.ts` says
 * what and where, `config-tree.ts` compares. `cluster-facts.ts` is what the cluster runs on (`platform.ts`), kept up to date by
 * `cluster-facts-source.ts`. `feature-gates.ts` tells which gates are on. `trusted-ca.ts` knows an injected bundle. `optional-informer.ts` follows an API that may be missing.
 */
export { type ClusterFacts, type ClusterFactsInput, clusterFactsOf, controlPlaneRoles } from "./cluster-facts.ts";
export { type ClusterFactsDeps, type ClusterFactsSource, clusterFactsSource } from "./cluster-facts-source.ts";
export {
  type ConfigObserverDeps,
  type ConfigObserverSpec,
  configObserverController,
} from "./config-observer-controller.ts";
export {
  type ConfigObserver,
  driverProxyPath,
  driverServingInfoPath,
  observedProxy,
  observedServingInfo,
  proxyObserver,
  storageProxyPath,
  tlsObserver,
} from "./config-observers.ts";
export type { ConfigPath } from "./config-tree.ts";
export { type FeatureGateSource, featureGateSource } from "./feature-gates.ts";
export {
  type OptionalInformer,
  type OptionalInformerDeps,
  type OptionalInformerSpec,
  optionalInformer,
} from "./optional-informer.ts";
export { platformOfProviderId } from "./platform.ts";
export { hasTrustedCaBundle, injectTrustedCaLabel, trustedCaKey } from "./trusted-ca.ts";
