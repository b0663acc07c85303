import type { ClusterCSIDriver, ConfigMap, Deployment, EnvVar, Service } from "@stowage/machinery";
import { operandImageNames, servingCertAnnotation } from "@stowage/operator";
import { neededByPlatformVariable } from "../../csi-driver/needed-by-platform.ts";
import type { DriverOperatorEntry } from "../driver-operators/index.ts";
import { type OperatorPlace, operatorDeploymentObject } from "./operator-pod.ts";

/** What is the same for every driver's operator, wherever that is. */
export function serviceObject({ name, namespace }: OperatorPlace): Service {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: `${name}-metrics`,
      namespace,
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
export function configObject({ name, namespace }: OperatorPlace): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `${name}-config`, namespace }, data: {} };
}

export function deploymentObject(
  { id, isOptional = false, handsOn = [] }: Pick<DriverOperatorEntry, "id" | "isOptional" | "handsOn">,
  place: OperatorPlace,
): Deployment {
  const { name } = place;
  const base = operatorDeploymentObject({
    ...place,
    image: runtime("OPERATOR_IMAGE"),
    command: ["driver-operator", id],
    verbosity: runtime("LOG_LEVEL"),
    // Whoever deletes the ClusterCSIDriver of a driver that the storage operator runs gets it back.
    env: [
      ...[...operandImageNames, "SIDECARS_IMAGE", ...handsOn].map(handedOn),
      ...(isOptional ? [] : [{ name: neededByPlatformVariable, value: "true" }]),
    ],
    proxyImage: runtime("KUBE_RBAC_PROXY_IMAGE"),
    proxyFlags: [
      `--tls-cipher-suites=${runtime("TLS_CIPHER_SUITES")}`,
      `--tls-min-version=${runtime("TLS_MIN_VERSION")}`,
    ],
    networkPolicyLabels: ["all-egress", "api-server", "dns", "operator-metrics-range"],
    podAnnotations: { "openshift.io/required-scc": "restricted-v2" },
  });
  const annotations = { "config.openshift.io/inject-proxy": name };
  return { ...base, metadata: { ...base.metadata, annotations } };
}

/** Log levels come in when it is made. */
export function resourceObject(name: string): ClusterCSIDriver {
  return {
    apiVersion: "operator.openshift.io/v1",
    kind: "ClusterCSIDriver",
    metadata: { name },
    spec: { managementState: "Managed" },
  };
}

export function handedOn(variable: string): EnvVar {
  return { name: variable, value: runtime(variable) };
}

/** `${NAME}`, for the running storage operator to fill in. */
export function runtime(name: string): string {
  return `\${${name}}`;
}
