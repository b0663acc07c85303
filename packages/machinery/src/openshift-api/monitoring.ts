import type { IntOrString, LabelSelector, ObjectMeta } from "../api/index.ts";

/** The resources of the Prometheus operator, as far as ours write them. */

type ApiVersion = "monitoring.coreos.com/v1";

/** Which Services have metrics, and how to get them. */
export interface ServiceMonitor {
  apiVersion: ApiVersion;
  kind: "ServiceMonitor";
  metadata: ObjectMeta;
  spec: ServiceMonitorSpec;
}

export interface ServiceMonitorSpec {
  selector: LabelSelector;
  endpoints: MetricsEndpoint[];
  /** The label of the Service that becomes `job`. */
  jobLabel?: string;
  namespaceSelector?: { any?: boolean; matchNames?: string[] };
  serviceDiscoveryRole?: "Endpoints" | "EndpointSlice";
}

export interface MetricsEndpoint {
  /** Of the Service, by name. */
  port: string;
  path?: string;
  scheme?: "http" | "https";
  interval?: string;
  bearerTokenFile?: string;
  tlsConfig?: MetricsTLSConfig;
  metricRelabelings?: MetricRelabeling[];
}

export interface MetricsTLSConfig {
  caFile?: string;
  certFile?: string;
  keyFile?: string;
  serverName?: string;
}

export interface MetricRelabeling {
  action?: string;
  sourceLabels?: string[];
  regex?: string;
  targetLabel?: string;
  replacement?: string;
}

/** Alerts, and figures that are worked out ahead. */
export interface PrometheusRule {
  apiVersion: ApiVersion;
  kind: "PrometheusRule";
  metadata: ObjectMeta;
  spec: PrometheusRuleSpec;
}

export interface PrometheusRuleSpec {
  groups?: MetricsRuleGroup[];
}

export interface MetricsRuleGroup {
  name: string;
  interval?: string;
  rules?: MetricsRule[];
}

/** Either an alert or a record. */
export interface MetricsRule {
  alert?: string;
  record?: string;
  expr: IntOrString;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}
