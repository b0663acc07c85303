/**
 * The API of OpenShift, as far as our operators own or read it; none of it is part of Kubernetes, all of it comes by CRD. In
 * reading order:
 *
 * - `operator.ts`: what all operators' resources share (spec, status, conditions); then `storage.ts`, `cluster-csi-driver.ts` with
 *   `csi-driver-config.ts` and the names that are allowed (`csi-driver-names.ts`), and `cloud-credential.ts`
 * - `infrastructure.ts` with `platform-spec.ts` and `platform-status.ts`: what the cluster runs on
 * - `cluster-config.ts`: proxy, API server, feature gates; `tls-profiles.ts` works out what a TLS profile means
 * - `cluster-operator.ts`, `cluster-version.ts`: how the platform is and which version it has
 * - `monitoring.ts`, `olm.ts`: the few fields that we write or read of the Prometheus operator and the Operator Lifecycle Manager
 * - `resources.ts`: the names of all these resources
 *
 * The definitions for clusters that lack them are apart, in `crds/`, imported as `@stowage/machinery/openshift-crds`: few processes
 * need them.
 */
export type * from "./cloud-credential.ts";
export type * from "./cluster-config.ts";
export type * from "./cluster-csi-driver.ts";
export type * from "./cluster-operator.ts";
export type * from "./cluster-version.ts";
export type * from "./csi-driver-config.ts";
export {
  cephCSIDrivers,
  clusterCSIDriverNames,
  isClusterCSIDriverName,
  localCSIDriver,
  openshiftCSIDrivers,
} from "./csi-driver-names.ts";
export type * from "./infrastructure.ts";
export type * from "./monitoring.ts";
export type * from "./olm.ts";
export type * from "./operator.ts";
export type * from "./platform-spec.ts";
export type * from "./platform-status.ts";
export {
  apiServers,
  cloudCredentials,
  clusterCSIDrivers,
  clusterOperators,
  clusterServiceVersions,
  clusterVersions,
  credentialsRequests,
  featureGates,
  infrastructures,
  prometheusRules,
  proxies,
  serviceMonitors,
  storages,
  subscriptions,
} from "./resources.ts";
export type * from "./storage.ts";
export {
  ianaCipherName,
  openSslCipherName,
  type TLSProfile,
  type TLSProfileType,
  type TLSProtocolVersion,
  type TLSSettings,
  tlsProfiles,
  tlsProtocolVersions,
  tlsSettingsOf,
} from "./tls-profiles.ts";
