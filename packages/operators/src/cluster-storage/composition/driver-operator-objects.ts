import { type KubernetesObject, pods, type ServiceMonitor, services } from "@stowage/machinery";
import { composeObject, type ObjectPatch } from "@stowage/operator";
import { mayAll } from "../../rights/rule-list.ts";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { driversNamespace } from "../names.ts";
import { configObject, deploymentObject, resourceObject, serviceObject } from "./operator-objects.ts";
import { clusterRoleObjects, type Rights, roleObjects, serviceAccountObject } from "./role-objects.ts";
import { metricsProxyRules } from "./storage-operator-rights.ts";

export interface DriverOperatorInput {
  readonly entry: Pick<DriverOperatorEntry, "id" | "operatorName" | "driverName" | "isOptional" | "handsOn">;
  /** Of the driver's operator, without those of the proxy before its metrics. */
  readonly rights: Rights;
  /** What is its own in the Deployment. */
  readonly patches: readonly ObjectPatch[];
  /** Of figures of its own: where there are any, they are read. */
  readonly alerts: readonly KubernetesObject[];
}

/** File → objects: what is in `assets/csidriveroperators/<id>/`. */
export function driverOperatorObjects(input: DriverOperatorInput): Map<string, readonly KubernetesObject[]> {
  const { entry, rights } = input;
  const { operatorName: name } = entry;
  const account = { name, namespace: driversNamespace };
  const named = (kind: string) => ({ role: `${name}-${kind}`, binding: `${name}-${kind}binding`, account });
  const namespaced = Object.entries(rights.namespaced).map(([namespace, rules]) =>
    roleObjects({ ...named("role"), rules }, namespace),
  );
  const clusterRules = [...rights.cluster, ...metricsProxyRules];
  const [clusterRole, clusterRoleBinding] = clusterRoleObjects({ ...named("clusterrole"), rules: clusterRules });
  return new Map<string, readonly KubernetesObject[]>([
    ["01_service.yaml", [serviceObject(account)]],
    ["02_sa.yaml", [serviceAccountObject(account)]],
    ["03_configmap.yaml", [configObject(account)]],
    ["03_role.yaml", namespaced.map(([role]) => role)],
    ["04_rolebinding.yaml", namespaced.map(([, binding]) => binding)],
    ["05_clusterrole.yaml", [clusterRole]],
    ["06_clusterrolebinding.yaml", [clusterRoleBinding]],
    ["07_deployment.yaml", [composeObject(deploymentObject(entry, account), input.patches)]],
    ["08_cr.yaml", [resourceObject(entry.driverName)]],
    ...monitoringObjects(name, input.alerts),
  ]);
}

/** Who may find the operator's figures, how they are read, and what becomes of them. */
function monitoringObjects(name: string, alerts: readonly KubernetesObject[]) {
  if (alerts.length === 0) return [];
  const [role, binding] = roleObjects(
    { role: `${name}-prometheus`, binding: `${name}-prometheus`, account: prometheusAccount, rules: discoveryRules },
    driversNamespace,
  );
  return [
    ["09_prometheus_role.yaml", [role]],
    ["10_prometheus_rolebinding.yaml", [binding]],
    ["11_servicemonitor.yaml", [monitorObject(name)]],
    ["12_prometheusrules.yaml", alerts],
  ] as const;
}

const prometheusAccount = { name: "prometheus-k8s", namespace: "openshift-monitoring" };

const discoveryRules = [
  mayAll(services, "get", "list", "watch"),
  mayAll({ group: "", plural: "endpoints" }, "get", "list", "watch"),
  mayAll(pods, "get", "list", "watch"),
  mayAll({ group: "discovery.k8s.io", plural: "endpointslices" }, "get", "list", "watch"),
];

function monitorObject(name: string): ServiceMonitor {
  const secrets = "/etc/prometheus/secrets/metrics-client-certs";
  return {
    apiVersion: "monitoring.coreos.com/v1",
    kind: "ServiceMonitor",
    metadata: { name, namespace: driversNamespace },
    spec: {
      jobLabel: "component",
      serviceDiscoveryRole: "EndpointSlice",
      selector: { matchLabels: { app: name } },
      endpoints: [
        {
          interval: "30s",
          path: "/metrics",
          port: "https",
          scheme: "https",
          tlsConfig: {
            caFile: "/etc/prometheus/configmaps/serving-certs-ca-bundle/service-ca.crt",
            certFile: `${secrets}/tls.crt`,
            keyFile: `${secrets}/tls.key`,
            serverName: `${name}-metrics.${driversNamespace}.svc`,
          },
        },
      ],
    },
  };
}
