import { Counter, Histogram, type Registry } from "prom-client";

/** What the provisioner counts. Dashboards of the original rely on the names, the labels and the buckets. */
export interface ProvisionerMetrics {
  provisioned(labels: ProvisionLabels, durationMs: number): void;
  provisionFailed(labels: ProvisionLabels): void;
  deleted(className: string, durationMs: number): void;
  deleteFailed(className: string): void;
}

export interface ProvisionLabels {
  readonly class: string;
  /** The kind that the claim is filled from; empty when it starts empty. */
  readonly source: string;
}

const nothing = () => {};
const noMetrics: ProvisionerMetrics = {
  provisioned: nothing,
  provisionFailed: nothing,
  deleted: nothing,
  deleteFailed: nothing,
};

const BUCKETS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function provisionerMetrics(registry: Registry | undefined): ProvisionerMetrics {
  if (registry === undefined) return noMetrics;
  const provision = figures(registry, "persistentvolumeclaim_provision", ["class", "source"]);
  const deletion = figures(registry, "persistentvolume_delete", ["class"]);
  return {
    provisioned: (labels, durationMs) => provision.succeeded({ ...labels }, durationMs),
    provisionFailed: (labels) => provision.failed({ ...labels }),
    deleted: (className, durationMs) => deletion.succeeded({ class: className }, durationMs),
    deleteFailed: (className) => deletion.failed({ class: className }),
  };
}

function figures(registry: Registry, what: string, labelNames: readonly string[]) {
  const common = { labelNames: [...labelNames], registers: [registry] };
  const name = `controller_${what}`;
  const total = new Counter({ ...common, name: `${name}_total`, help: "How often it succeeded" });
  const failed = new Counter({ ...common, name: `${name}_failed_total`, help: "How often it failed" });
  const duration = new Histogram({
    ...common,
    name: `${name}_duration_seconds`,
    help: "How long it took, where it succeeded",
    buckets: BUCKETS_SECONDS,
  });
  return {
    succeeded(labels: Record<string, string>, durationMs: number) {
      total.inc(labels);
      duration.observe(labels, durationMs / 1000);
    },
    failed: (labels: Record<string, string>) => failed.inc(labels),
  };
}
