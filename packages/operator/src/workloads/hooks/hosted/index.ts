/**
 * HyperShift: the guest's control plane is Pods in a namespace of a management cluster, and the driver's controller is one of them.
 *
 * - `hosted-place.ts`: what such a Deployment has beside what any cluster's has
 * - `hosted-hooks.ts`: what fits it to the control plane that it is of (`hosted-control-plane.ts`)
 * - `hosted-identity.ts`: how the driver gets into the cloud from there
 */
export {
  type HostedControlPlane,
  type HostedControlPlaneSource,
  type HostedPowerVS,
  hostedControlPlaneSource,
  hostedControlPlanes,
} from "./hosted-control-plane.ts";
export {
  type HostedFacts,
  withControlPlaneImages,
  withHostedLabels,
  withHostedNodeSelector,
  withHostedReplicas,
  withHostedTolerations,
  withManagementProxy,
  withRunAsUser,
} from "./hosted-hooks.ts";
export { type TokenMinterSpec, withSecretProviderClass, withTokenMinter } from "./hosted-identity.ts";
export {
  desiredVersionAnnotation,
  guestKubeconfig,
  guestMount,
  guestSecret,
  type HostedPlace,
  withHostedPlace,
} from "./hosted-place.ts";
