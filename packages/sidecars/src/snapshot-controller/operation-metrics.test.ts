import { ManualClock } from "@stowage/machinery/testing";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { operationMetrics } from "./operation-metrics.ts";
import { RETRY_CRD_INTERVAL_MAX_MS, snapshotControllerDefaults } from "./options.ts";

const NAME = "snapshot_controller_operation_total_seconds";

it("times operations from when they were first seen, by driver and outcome", async () => {
  const clock = new ManualClock();
  const registry = new Registry();
  const metrics = operationMetrics(clock, registry);
  const create = { name: "CreateSnapshot", uid: "u" };
  const remove = { name: "DeleteSnapshot", uid: "u" };
  metrics.start(create, { driver: "", type: "dynamic" });
  metrics.start(remove, { driver: "d", type: "pre-provisioned" });
  await clock.advance(2_000);
  metrics.start(create, { driver: "later", type: "dynamic" });
  expect(await registry.metrics()).toContain("snapshot_controller_operations_in_flight 2");
  metrics.succeed(create, "known");
  metrics.cancel(remove);
  metrics.succeed(create, "again");
  const text = await registry.metrics();
  expect(text).toContain("snapshot_controller_operations_in_flight 0");
  const created =
    'driver_name="known",snapshot_type="dynamic",operation_name="CreateSnapshot",operation_status="success"';
  const removed =
    'driver_name="d",snapshot_type="pre-provisioned",operation_name="DeleteSnapshot",operation_status="cancel"';
  expect(text).toContain(`${NAME}_sum{${created}} 2`);
  expect(text).toContain(`${NAME}_count{${removed}} 1`);
  expect(text).toContain(`${NAME}_bucket{le="0.1",${created}} 0`);
  expect(text).toContain(`${NAME}_bucket{le="2.5",${created}} 1`);
});

it("calls a driver that was never known unknown", async () => {
  const registry = new Registry();
  const metrics = operationMetrics(new ManualClock(), registry);
  metrics.start({ name: "DeleteSnapshot", uid: "u" }, { driver: "", type: "dynamic" });
  metrics.succeed({ name: "DeleteSnapshot", uid: "u" });
  expect(await registry.metrics()).toContain('driver_name="unknown"');
});

it("needs no registry", () => {
  const metrics = operationMetrics(new ManualClock(), undefined);
  metrics.start({ name: "CreateSnapshot", uid: "u" }, { driver: "d", type: "dynamic" });
  expect(() => metrics.succeed({ name: "CreateSnapshot", uid: "u" })).not.toThrow();
});

it("has the defaults of the original", () => {
  expect(RETRY_CRD_INTERVAL_MAX_MS).toBe(30_000);
  expect(snapshotControllerDefaults).toEqual({
    workers: 10,
    resyncMs: 900_000,
    retryInitialMs: 1_000,
    retryMaximumMs: 300_000,
    isDistributed: false,
    preventsVolumeModeConversion: true,
    hasGroupSnapshots: true,
  });
});
