import { type MetricObject, Registry } from "prom-client";
import { addProcessMetrics } from "../../packages/cli/src/cluster/process-metrics.ts";
import { callMetrics } from "../../packages/csi/src/client/call-metrics.ts";
import { createCallMetrics } from "../../packages/csi/src/sdk/calls/call-metrics.ts";
import { systemClock } from "../../packages/machinery/src/index.ts";
import { addFigure, type Figure, type FigureFamily, type FigureTable } from "../../packages/operator/src/index.ts";
import { leadershipMetrics } from "../../packages/operator/src/metrics/leadership-metrics.ts";
import { queueMetrics } from "../../packages/operator/src/metrics/queue-metrics.ts";
import { attributesClassMismatch } from "../../packages/operators/src/cluster-storage/attributes-class-mismatch.ts";
import { defaultClassCount } from "../../packages/operators/src/cluster-storage/default-class-count.ts";
import { DriverErrors } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/metrics/driver-errors.ts";
import { topologyFigures } from "../../packages/operators/src/csi-driver/drivers/vmware-vsphere/metrics/topology-figures.ts";
import { capacityGauges } from "../../packages/sidecars/src/provisioner/capacity/capacity-gauges.ts";
import { provisionerMetrics } from "../../packages/sidecars/src/provisioner/metrics.ts";
import { operationMetrics } from "../../packages/sidecars/src/snapshot-controller/operation-metrics.ts";
import { page, table } from "./reference-page.ts";

type Add = (registry: Registry) => unknown;
type AnyFigure = Figure | FigureFamily | FigureTable;

const figures = (...all: readonly AnyFigure[]): Add[] => all.map((figure) => (registry) => addFigure(registry, figure));

/** Of figures only what they are called is read, so that there is no cluster that they would be of. */
const nowhere = { informers: { informer: () => undefined } } as never;

/** Who has them, and what puts them into a registry there. */
const makers: Readonly<Record<string, readonly Add[]>> = {
  "Every process that serves metrics": [addProcessMetrics, queueMetrics, leadershipMetrics],
  "Drivers that are written with the SDK": [createCallMetrics],
  "All sidecars": [callMetrics],
  Provisioner: [
    provisionerMetrics,
    (registry) => capacityGauges(registry, () => ({ goal: 0, current: 0, obsolete: 0 })),
  ],
  "Snapshot controller": [(registry) => operationMetrics(systemClock, registry)],
  "Cluster storage operator": figures(defaultClassCount(nowhere), attributesClassMismatch(nowhere)),
  "Operator of vSphere": figures(new DriverErrors().figure, ...topologyFigures(nowhere)),
};

/** All figures by who has them, read from registries as they are filled there. */
export async function generateMetricsPage(): Promise<Map<string, string>> {
  const lines = Object.entries(makers).flatMap(([title, adds]) => section(title, adds));
  const text = page("Metrics", "what each component registers", [
    "At `/metrics` of each component, in the format of Prometheus; names, labels and buckets of originals are theirs.",
    "",
    ...lines.slice(0, -1),
  ]);
  return new Map([["docs/reference/metrics.md", text]]);
}

function section(title: string, adds: readonly Add[]): string[] {
  const registry = new Registry();
  for (const add of adds) add(registry);
  const rows = registry.getMetricsAsArray().map(rowOf);
  return [`## ${title}`, "", ...table(["metric", "kind", "labels", "meaning"], rows), ""];
}

/** The library keeps labels without telling of them in its types. */
type Described = MetricObject & { readonly labelNames?: readonly string[] };

function rowOf(metric: Described): string[] {
  const labels = (metric.labelNames ?? []).map((label) => `\`${label}\``).join(", ");
  return [`\`${metric.name}\``, kindOf(metric), labels, metric.help];
}

/** As its class has it: `Histogram`. */
function kindOf(metric: object): string {
  return metric.constructor.name.toLowerCase();
}
