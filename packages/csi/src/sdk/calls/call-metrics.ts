import { type Counter, Gauge, Histogram, type Registry } from "prom-client";
import { type GrpcCode, goCodeName } from "../../protocol/index.ts";

/** Those of the original sidecars, so that their and our durations can be laid side by side. */
const bucketsSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];

export interface CallMetrics {
  /** Counts a call that begins; the function that it returns is told how it ended. */
  begin(method: string): (code: GrpcCode, durationMs: number) => void;
}

/** Drivers that share a process may share a registry too. */
export function createCallMetrics(registry: Registry): CallMetrics {
  const durations = existing(registry, "csi_operations_seconds", Histogram) ?? createDurations(registry);
  const inFlight = existing(registry, "csi_operations_in_flight", Gauge) ?? createInFlight(registry);
  return {
    begin(method) {
      inFlight.inc({ method });
      return (code, durationMs) => {
        inFlight.dec({ method });
        durations.observe({ method, grpc_status_code: goCodeName(code) }, durationMs / 1000);
      };
    },
  };
}

function createDurations(registry: Registry) {
  return new Histogram({
    name: "csi_operations_seconds",
    help: "How long CSI calls took, by method and gRPC status code",
    labelNames: ["method", "grpc_status_code"],
    buckets: bucketsSeconds,
    registers: [registry],
  });
}

function createInFlight(registry: Registry) {
  return new Gauge({
    name: "csi_operations_in_flight",
    help: "CSI calls that the driver works on, by method",
    labelNames: ["method"],
    registers: [registry],
  });
}

type MetricClass<Metric> = abstract new (...args: never[]) => Metric;

function existing<Metric extends Counter | Gauge | Histogram>(
  registry: Registry,
  name: string,
  type: MetricClass<Metric>,
): Metric | undefined {
  const metric = registry.getSingleMetric(name);
  return metric instanceof type ? metric : undefined;
}
