import type { KubernetesObject, ResourceType } from "../api/index.ts";
import type { CloudCredential, CredentialsRequest } from "./cloud-credential.ts";
import type { APIServer, FeatureGate, Proxy } from "./cluster-config.ts";
import type { ClusterCSIDriver } from "./cluster-csi-driver.ts";
import type { ClusterOperator } from "./cluster-operator.ts";
import type { ClusterVersion } from "./cluster-version.ts";
import type { Infrastructure } from "./infrastructure.ts";
import type { PrometheusRule, ServiceMonitor } from "./monitoring.ts";
import type { ClusterServiceVersion, Subscription } from "./olm.ts";
import type { Storage } from "./storage.ts";

/** Kind and plural; `T` must be the type of that very kind. */
function clusterScoped(group: string) {
  return <T extends KubernetesObject>(kind: T["kind"], plural: string): ResourceType<T> => ({
    group,
    version: "v1",
    plural,
    kind,
    namespaced: false,
  });
}

function inNamespaces(group: string, version: string) {
  return <T extends KubernetesObject>(kind: T["kind"], plural: string): ResourceType<T> => ({
    group,
    version,
    plural,
    kind,
    namespaced: true,
  });
}

const operator = clusterScoped("operator.openshift.io");
const config = clusterScoped("config.openshift.io");
const cloudCredential = inNamespaces("cloudcredential.openshift.io", "v1");
const monitoring = inNamespaces("monitoring.coreos.com", "v1");
const olm = inNamespaces("operators.coreos.com", "v1alpha1");

export const storages = operator<Storage>("Storage", "storages");
export const clusterCSIDrivers = operator<ClusterCSIDriver>("ClusterCSIDriver", "clustercsidrivers");
export const cloudCredentials = operator<CloudCredential>("CloudCredential", "cloudcredentials");

export const infrastructures = config<Infrastructure>("Infrastructure", "infrastructures");
export const proxies = config<Proxy>("Proxy", "proxies");
export const apiServers = config<APIServer>("APIServer", "apiservers");
export const featureGates = config<FeatureGate>("FeatureGate", "featuregates");
export const clusterOperators = config<ClusterOperator>("ClusterOperator", "clusteroperators");
export const clusterVersions = config<ClusterVersion>("ClusterVersion", "clusterversions");

export const credentialsRequests = cloudCredential<CredentialsRequest>("CredentialsRequest", "credentialsrequests");

export const serviceMonitors = monitoring<ServiceMonitor>("ServiceMonitor", "servicemonitors");
export const prometheusRules = monitoring<PrometheusRule>("PrometheusRule", "prometheusrules");

export const subscriptions = olm<Subscription>("Subscription", "subscriptions");
export const clusterServiceVersions = olm<ClusterServiceVersion>("ClusterServiceVersion", "clusterserviceversions");
