import type { Clock } from "@stowage/machinery";
import { Gauge, Histogram, type Registry } from "prom-client";

// As the original has them.
const BUCKETS_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600];

export type SnapshotType = "dynamic" | "pre-provisioned";

/** Of snapshots; those of groups are named alike. */
export interface OperationNames {
  readonly create: string;
  readonly createAndReady: string;
  readonly delete: string;
}

export const snapshotOperations: OperationNames = {
  create: "CreateSnapshot",
  createAndReady: "CreateSnapshotAndReady",
  delete: "DeleteSnapshot",
};

export const groupSnapshotOperations: OperationNames = {
  create: "CreateGroupSnapshot",
  createAndReady: "CreateGroupSnapshotAndReady",
  delete: "DeleteGroupSnapshot",
};

export interface Operation {
  readonly name: string;
  readonly uid: string;
}

export interface OperationLabels {
  /** Empty when it is not known yet. */
  readonly driver: string;
  readonly type: SnapshotType;
}

/** How long it takes from when a snapshot was first seen until it is made, ready, or gone. */
export interface OperationMetrics {
  /** Again: nothing. */
  start(operation: Operation, labels: OperationLabels): void;
  succeed(operation: Operation, driver?: string): void;
  /** Of what was deleted before it was made. */
  cancel(operation: Operation): void;
}

interface Running extends OperationLabels {
  readonly operation: Operation;
  readonly startedMs: number;
}

export function operationMetrics(clock: Clock, registry: Registry | undefined): OperationMetrics {
  const running = new Map<string, Running>();
  const observe = registry === undefined ? undefined : register(registry, running);
  const end = (operation: Operation, status: "success" | "cancel", driver = "") => {
    const key = keyOf(operation);
    const found = running.get(key);
    if (found === undefined) return;
    running.delete(key);
    const seconds = (clock.monotonicMs() - found.startedMs) / 1000;
    const labels = { driver_name: driver || found.driver || "unknown", snapshot_type: found.type };
    observe?.({ ...labels, operation_name: operation.name, operation_status: status }, seconds);
  };
  return {
    start(operation, labels) {
      const key = keyOf(operation);
      if (!running.has(key)) running.set(key, { ...labels, operation, startedMs: clock.monotonicMs() });
    },
    succeed: (operation, driver) => end(operation, "success", driver),
    cancel: (operation) => end(operation, "cancel"),
  };
}

function register(registry: Registry, running: ReadonlyMap<string, Running>) {
  const registers = [registry];
  const labelNames = ["driver_name", "operation_name", "snapshot_type", "operation_status"] as const;
  const seconds = new Histogram({
    name: "snapshot_controller_operation_total_seconds",
    help: "How long operations took from when they were first seen",
    labelNames,
    registers,
    buckets: BUCKETS_SECONDS,
  });
  void new Gauge({
    name: "snapshot_controller_operations_in_flight",
    help: "Operations that were begun and have not ended",
    registers,
    collect() {
      this.set(running.size);
    },
  });
  return (labels: Record<(typeof labelNames)[number], string>, value: number) => seconds.observe(labels, value);
}

function keyOf({ name, uid }: Operation): string {
  return `${name}/${uid}`;
}
