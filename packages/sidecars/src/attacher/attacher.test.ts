import type { ControllerCapabilityName } from "@stowage/csi";
import { queueMetrics } from "@stowage/operator";
import { Registry } from "prom-client";
import { expect, it } from "vitest";
import { idleDeps } from "../fixtures/idle-deps.ts";
import { createAttacher } from "./attacher.ts";
import { attacherDefaults } from "./options.ts";

const driver = (...controller: ControllerCapabilityName[]) => ({
  name: "csi.example.com",
  controller: new Set(controller),
});

it("watches VolumeAttachments, PersistentVolumes and CSINodes, and nothing else", () => {
  const { deps, watched } = idleDeps(driver("PUBLISH_UNPUBLISH_VOLUME"));
  expect(createAttacher(deps, attacherDefaults).name).toBe("attacher");
  expect(watched()).toEqual(["csinodes", "persistentvolumes", "volumeattachments"]);
});

it("has queues by the names that dashboards know", async () => {
  const registry = new Registry();
  const { deps } = idleDeps(driver("PUBLISH_UNPUBLISH_VOLUME"));
  createAttacher({ ...deps, queues: queueMetrics(registry) }, attacherDefaults);
  const text = await registry.metrics();
  expect(text).toContain('workqueue_depth{name="csi-attacher-va"} 0');
  expect(text).toContain('workqueue_depth{name="csi-attacher-pv"} 0');
});

it("has the defaults of the original", () => {
  expect(attacherDefaults).toEqual({
    timeoutMs: 15_000,
    workers: 10,
    retryInitialMs: 1000,
    retryMaximumMs: 300_000,
    resyncMs: 600_000,
    reconcileMs: 60_000,
    maxEntries: 0,
    defaultFsType: "",
  });
});
