import { Histogram, type Registry } from "prom-client";
import { goCodeName } from "../protocol/index.ts";
import type { CallObserver } from "./observed-call.ts";

// Dashboards and alerts of the original sidecars rely on the name, the labels and the buckets.
const NAME = "csi_sidecar_operations_seconds";
const BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 25, 50, 120, 300, 600];
const UNKNOWN_DRIVER = "unknown-driver";

type Label = "driver_name" | "method_name" | "grpc_status_code";

/** Records calls in a registry. Several clients may share one: they record into the same histogram. */
export function callMetrics(registry: Registry): CallObserver {
  const histogram = existing(registry) ?? newHistogram(registry);
  return ({ driverName, method, code, durationMs }) => {
    histogram.observe(
      { driver_name: driverName ?? UNKNOWN_DRIVER, method_name: method, grpc_status_code: goCodeName(code) },
      durationMs / 1000,
    );
  };
}

function existing(registry: Registry): Histogram<Label> | undefined {
  return registry.getSingleMetric(NAME) as Histogram<Label> | undefined;
}

function newHistogram(registry: Registry): Histogram<Label> {
  return new Histogram({
    name: NAME,
    help: "How long calls to the CSI driver took, by method and gRPC status code",
    labelNames: ["driver_name", "method_name", "grpc_status_code"],
    buckets: BUCKETS_SECONDS,
    registers: [registry],
  });
}
