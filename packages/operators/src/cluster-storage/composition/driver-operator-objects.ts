import type { ClusterCSIDriver, ConfigMap, Deployment, KubernetesObject, Service } from "@stowage/machinery";
import { composeObject, type ObjectPatch, operandImageNames, servingCertAnnotation } from "@stowage/operator";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { driversNamespace } from "../names.ts";
import { operatorDeploymentObject } from "./operator-pod.ts";
import { clusterRoleObjects, type Rights, roleObjects, serviceAccountObject } from "./role-objects.ts";
import { metricsProxyRules } from "./storage-operator-rights.ts";

export interface DriverOperatorInput {
  readonly entry: Pick<DriverOperatorEntry, "id" | "operatorName" | "driverName">;
  /** Of the driver's operator, without those of the proxy before its metrics. */
  readonly rights: Rights;
  /** What is its own in the Deployment. */
  readonly patches: readonly ObjectPatch[];
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
    ["01_service.yaml", [serviceObject(name)]],
    ["02_sa.yaml", [serviceAccountObject(account)]],
    ["03_configmap.yaml", [configObject(name)]],
    ["03_role.yaml", namespaced.map(([role]) => role)],
    ["04_rolebinding.yaml", namespaced.map(([, binding]) => binding)],
    ["05_clusterrole.yaml", [clusterRole]],
    ["06_clusterrolebinding.yaml", [clusterRoleBinding]],
    ["07_deployment.yaml", [deploymentObject(input)]],
    ["08_cr.yaml", [resourceObject(entry.driverName)]],
  ]);
}

function serviceObject(name: string): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: `${name}-metrics`,
      namespace: driversNamespace,
      annotations: { [servingCertAnnotation]: `${name}-serving-cert` },
      labels: { app: name },
    },
    spec: {
      type: "ClusterIP",
      sessionAffinity: "None",
      selector: { name },
      ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 8443 }],
    },
  };
}

/** The TLS settings come in when it is applied. */
function configObject(name: string): ConfigMap {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-config`, namespace: driversNamespace },
    data: {},
  };
}

function deploymentObject({ entry, patches }: DriverOperatorInput): Deployment {
  const { id, operatorName: name } = entry;
  const images = [...operandImageNames, "SIDECARS_IMAGE"].map((variable) => ({
    name: variable,
    value: runtime(variable),
  }));
  const base = operatorDeploymentObject({
    name,
    namespace: driversNamespace,
    image: runtime("OPERATOR_IMAGE"),
    command: ["driver-operator", id],
    verbosity: runtime("LOG_LEVEL"),
    env: images,
    proxyImage: runtime("KUBE_RBAC_PROXY_IMAGE"),
    proxyFlags: [
      `--tls-cipher-suites=${runtime("TLS_CIPHER_SUITES")}`,
      `--tls-min-version=${runtime("TLS_MIN_VERSION")}`,
    ],
    networkPolicyLabels: ["all-egress", "api-server", "dns", "operator-metrics-range"],
    podAnnotations: { "openshift.io/required-scc": "restricted-v2" },
  });
  const annotations = { "config.openshift.io/inject-proxy": name };
  return composeObject({ ...base, metadata: { ...base.metadata, annotations } }, patches);
}

/** Log levels come in when it is made. */
function resourceObject(name: string): ClusterCSIDriver {
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name },
    spec: { managementState: "Managed" },
  };
}

/** `${NAME}`, for the running storage operator to fill in. */
function runtime(name: string): string {
  return `\${${name}}`;
}
