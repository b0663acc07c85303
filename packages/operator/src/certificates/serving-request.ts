import type { KubernetesObject } from "@stowage/machinery";

/** On a Service: the service CA makes a certificate for it, in the Secret of this name beside it. */
export const servingCertAnnotation = "service.beta.openshift.io/serving-cert-secret-name";

/** A certificate that somebody has to make. */
export interface ServingRequest {
  readonly namespace: string;
  readonly service: string;
  readonly secret: string;
}

/** What the Services among an operator's assets ask for. */
export function servingRequestsOf(objects: readonly KubernetesObject[]): ServingRequest[] {
  return objects.flatMap(({ kind, metadata }) => {
    const secret = metadata.annotations?.[servingCertAnnotation];
    const { name, namespace } = metadata;
    if (kind !== "Service" || !secret || name === undefined || namespace === undefined) return [];
    return [{ namespace, service: name, secret }];
  });
}

/** The names that the service CA gives: within the cluster, with and without the usual domain. */
export function serviceDnsNames({ service, namespace }: ServingRequest): string[] {
  return [`${service}.${namespace}.svc`, `${service}.${namespace}.svc.cluster.local`];
}
