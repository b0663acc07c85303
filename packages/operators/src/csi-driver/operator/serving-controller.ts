import { type KubernetesObject, secrets } from "@stowage/machinery";
import {
  createServiceCaProbe,
  type OperatorController,
  parseManifests,
  replacePlaceholders,
  type ServingRequest,
  servingCertificatesController,
  servingRequestsOf,
} from "@stowage/operator";
import { type DriverAssets, type DriverPlace, driverPlaceholders } from "../assets/index.ts";
import type { DriverProfile } from "../driver-profile.ts";
import type { DriverDeps, DriverParticulars } from "./driver-deps.ts";
import { lastRemoval } from "./last-removal.ts";

/** Who needs a certificate, and where the authority is kept that issues it where the cluster has none. */
export interface ServingPlan {
  readonly authoritySecret: string;
  readonly bundleConfigMap: string;
  readonly requests: readonly ServingRequest[];
}

export function servingPlan(
  profile: Pick<DriverProfile, "assetPrefix"> & DriverPlace,
  { controlPlane, guest }: DriverAssets,
): ServingPlan {
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
 * `<P>DriverServingCertificatesControllerDegraded`. Deletes: all of it on removal, when the workloads are gone.
 */
export function servingController(
  deps: DriverDeps,
  particulars: DriverParticulars,
  plan: ServingPlan,
): OperatorController {
  const { profile, copies } = particulars;
  const { client, mapper, namespace, ...controller } = copies.controller;
  const name = `${profile.conditionPrefix}DriverServingCertificatesController`;
  const informer = ((type: typeof secrets) =>
    type.plural === secrets.plural ? controller.secrets : controller.configMaps) as DriverDeps["informers"]["informer"];
  // What a guest's nodes serve is left to the service CA of the guest: HyperShift brings one along.
  const requests = plan.requests.filter((request) => request.namespace === namespace);
  // Beside a control plane nothing is allowed outside of its namespace.
  const serviceCa = controller.hosted && { serviceCa: createServiceCaProbe({ mapper, clock: deps.clock }) };
  return servingCertificatesController(
    { ...deps, client, mapper, informers: { informer } },
    { name, namespace, ...plan, requests, ...serviceCa, ...lastRemoval(particulars, name) },
  );
}
