import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { provisionerMetrics } from "./metrics.ts";

test("the figures have the names and labels that dashboards know", async () => {
  const registry = new Registry();
  const metrics = provisionerMetrics(registry);
  metrics.provisioned({ class: "fast", source: "VolumeSnapshot" }, 1_500);
  metrics.provisionFailed({ class: "fast", source: "" });
  metrics.deleted("fast", 20);
  metrics.deleteFailed("slow");
  const text = await registry.metrics();
  for (const line of [
    'controller_persistentvolumeclaim_provision_total{class="fast",source="VolumeSnapshot"} 1',
    'controller_persistentvolumeclaim_provision_failed_total{class="fast",source=""} 1',
    'controller_persistentvolumeclaim_provision_duration_seconds_bucket{le="1",class="fast",source="VolumeSnapshot"} 0',
    'controller_persistentvolumeclaim_provision_duration_seconds_bucket{le="2.5",class="fast",source="VolumeSnapshot"} 1',
    'controller_persistentvolume_delete_total{class="fast"} 1',
    'controller_persistentvolume_delete_failed_total{class="slow"} 1',
    'controller_persistentvolume_delete_duration_seconds_bucket{le="0.025",class="fast"} 1',
  ])
    expect(text).toContain(line);
});

test("nothing is counted where nobody collects", () => {
  expect(() => provisionerMetrics(undefined).deleted("fast", 1)).not.toThrow();
});
