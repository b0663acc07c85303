import type { KubeClient, RestMapper } from "@stowage/kube";
import { type Clock, deployments } from "@stowage/machinery";

export interface ServiceCaDeps {
  /** Left out where nobody may look into another namespace: then a service CA without its operator is not found. */
  readonly client?: Pick<KubeClient, "find">;
  readonly mapper: Pick<RestMapper, "has">;
}

const serviceCas = { group: "operator.openshift.io", version: "v1", plural: "servicecas" };
const controllerRef = { namespace: "openshift-service-ca", name: "service-ca" };

/** Asks again only when the last answer is too old: a service CA does not come and go. */
export interface ServiceCaProbe {
  isThere(signal: AbortSignal): Promise<boolean>;
}

/** At which a service CA that was installed since is found. */
export const SERVICE_CA_AGE_MS = 600_000;

export function createServiceCaProbe({
  clock,
  maximumAgeMs = SERVICE_CA_AGE_MS,
  ...deps
}: ServiceCaDeps & { readonly clock: Clock; readonly maximumAgeMs?: number }): ServiceCaProbe {
  let last: { readonly isThere: boolean; readonly atMs: number } | undefined;
  return {
    async isThere(signal) {
      const atMs = clock.monotonicMs();
      if (last === undefined || atMs - last.atMs >= maximumAgeMs) {
        last = { isThere: await hasServiceCa(deps, signal), atMs };
      }
      return last.isThere;
    },
  };
}

/** Whether somebody else acts on the annotation: the service CA's operator is installed, or its controller runs without it. */
export async function hasServiceCa({ client, mapper }: ServiceCaDeps, signal: AbortSignal): Promise<boolean> {
  if (await mapper.has(serviceCas)) return true;
  const controller = await client?.find(deployments, controllerRef, { signal });
  return (controller?.spec?.replicas ?? 0) > 0;
}
