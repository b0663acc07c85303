import type { ConfigMap, KubernetesObject, PodDisruptionBudget, Service, ServiceAccount } from "@stowage/machinery";
import { injectTrustedCaLabel, servingCertAnnotation } from "@stowage/operator";
import { runtime } from "./containers.ts";

/** The controller, or what runs on each node. */
export type Part = "controller" | "node";

interface Place {
  readonly assetPrefix: string;
  readonly part: Part;
}

/** A port that a proxy exposes, by its name in the Pod. */
export interface ExposedPort {
  readonly name: string;
  readonly port: number;
}

export function serviceAccount({ assetPrefix, part }: Place): ServiceAccount {
  return {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: { name: `${assetPrefix}-${part}-sa`, namespace: namespaceOf(part) },
  };
}

/** Whoever issues certificates in the cluster makes one for it. */
export function metricsService({ assetPrefix, part }: Place, ports: readonly ExposedPort[]): Service {
  const name = `${assetPrefix}-${part}-metrics`;
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name,
      namespace: namespaceOf(part),
      annotations: { [servingCertAnnotation]: `${name}-serving-cert` },
      labels: { app: name },
    },
    spec: {
      ports: ports.map(({ name, port }) => ({ name, port, protocol: "TCP", targetPort: name })),
      selector: { app: `${assetPrefix}-${part}` },
      sessionAffinity: "None",
      type: "ClusterIP",
    },
  };
}

/** Of Prometheus' operator, which not every cluster has. */
export function serviceMonitor({ assetPrefix, part }: Place, ports: readonly ExposedPort[]): KubernetesObject {
  const service = `${assetPrefix}-${part}-metrics`;
  const endpoint = ({ name }: ExposedPort) => ({
    bearerTokenFile: "/var/run/secrets/kubernetes.io/serviceaccount/token",
    interval: "30s",
    path: "/metrics",
    port: name,
    scheme: "https",
    tlsConfig: {
      caFile: "/etc/prometheus/configmaps/serving-certs-ca-bundle/service-ca.crt",
      serverName: `${service}.${namespaceOf(part)}.svc`,
    },
  });
  const monitor = {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: { name: `${assetPrefix}-${part}-monitor`, namespace: namespaceOf(part) },
    spec: {
      endpoints: ports.map(endpoint),
      jobLabel: "component",
      selector: { matchLabels: { app: service } },
    },
  };
  return monitor;
}

/** An unhealthy Pod never keeps a node from being drained. */
export function controllerBudget(assetPrefix: string): PodDisruptionBudget {
  return {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: `${assetPrefix}-controller-pdb`, namespace: runtime("NAMESPACE") },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: { app: `${assetPrefix}-controller` } },
      unhealthyPodEvictionPolicy: "AlwaysAllow",
    },
  };
}

/** Without data: the cluster's network operator fills it in, where there is one. */
export function trustedCaBundle(assetPrefix: string): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: {
      name: `${assetPrefix}-trusted-ca-bundle`,
      namespace: runtime("NAMESPACE"),
      labels: { [injectTrustedCaLabel]: "true" },
    },
  };
}

function namespaceOf(part: Part): string {
  return runtime(part === "controller" ? "NAMESPACE" : "NODE_NAMESPACE");
}
