import { type KubernetesObject, secrets } from "@stowage/machinery";
import {
  type OperatorController,
  parseManifests,
  replacePlaceholders,
  type ServingRequest,
  servingCertificatesController,
  servingRequestsOf,
} from "@stowage/operator";
import { type DriverAssets, driverPlaceholders } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import type { DriverCopies } from "./driver-copies.ts";
import type { DriverDeps } from "./driver-deps.ts";

/** Who needs a certificate, and where the authority is kept that issues it where the cluster has none. */
export interface ServingPlan {
  readonly authoritySecret: string;
  readonly bundleConfigMap: string;
  readonly requests: readonly ServingRequest[];
}

export function servingPlan(profile: DriverProfile, { controlPlane, guest }: DriverAssets): ServingPlan {
  const objects = [...controlPlane, ...guest].flatMap(({ asset }): KubernetesObject[] => {
    try {
      return parseManifests({ ...asset, text: replacePlaceholders(asset.text, driverPlaceholders(profile)) });
    } catch {
      return []; // Told by the controller that is to apply it.
    }
  });
  return {
    authoritySecret: `${profile.assetPrefix}-serving-ca`,
    bundleConfigMap: `${profile.assetPrefix}-serving-ca-bundle`,
    // A Service that differs between the modes of the sidecars is there twice.
    requests: [...new Map(servingRequestsOf(objects).map((request) => [request.secret, request])).values()],
  };
}

/**
 * The certificates of the driver's metrics, where no service CA makes them. Watches: Secrets and ConfigMaps of the driver's namespace,
 * by the watches that others have already. Owns: the Secrets and the ConfigMap of its plan. Writes condition:
 * `<P>DriverServingCertificatesControllerDegraded`. Deletes: nothing.
 */
export function servingController(
  deps: DriverDeps,
  { conditionPrefix, namespace }: DriverProfile,
  { plan, copies }: { readonly plan: ServingPlan; readonly copies: DriverCopies },
): OperatorController {
  const informer = ((type: typeof secrets) =>
    type.plural === secrets.plural ? copies.secrets : copies.configMaps) as DriverDeps["informers"]["informer"];
  return servingCertificatesController(
    { ...deps, informers: { informer } },
    { name: `${conditionPrefix}DriverServingCertificatesController`, namespace, ...plan },
  );
}
