import type { ControllerCapabilityName } from "@stowage/csi";
import { queueMetrics } from "@stowage/operator";
import { Registry } from "prom-client";
import { expect, test } from "vitest";
import { idleDeps } from "../fixtures/idle-deps.ts";
import { resizerDefaults } from "./options.ts";
import { createResizer } from "./resizer.ts";

const driver = (...controller: ControllerCapabilityName[]) => ({
  name: "csi.example.com",
  controller: new Set(controller),
});

test.each<[string, ControllerCapabilityName[], boolean, string[]]>([
  ["expands", ["EXPAND_VOLUME"], true, ["persistentvolumeclaims", "persistentvolumes"]],
  [
    "expands and modifies",
    ["EXPAND_VOLUME", "MODIFY_VOLUME"],
    true,
    ["persistentvolumeclaims", "persistentvolumes", "volumeattributesclasses"],
  ],
  ["modifies where there are no classes", ["MODIFY_VOLUME"], false, ["persistentvolumeclaims", "persistentvolumes"]],
])(
  "for a driver that %s, watches no more than it needs, and no Pods",
  (_, capabilities, modifiesVolumes, resources) => {
    const { deps, watched } = idleDeps(driver(...capabilities));
    expect(createResizer(deps, { ...resizerDefaults, modifiesVolumes }).name).toBe("resizer");
    expect(watched()).toEqual(resources);
  },
);

test("its queues have the name that dashboards know", async () => {
  const registry = new Registry();
  const { deps } = idleDeps(driver("EXPAND_VOLUME", "MODIFY_VOLUME"));
  createResizer({ ...deps, queues: queueMetrics(registry) }, resizerDefaults);
  expect(await registry.metrics()).toContain('workqueue_depth{name="csi.example.com-pvc"} 0');
});

test("its defaults are those of the original", () => {
  expect(resizerDefaults).toEqual({
    timeoutMs: 10_000,
    workers: 10,
    retryInitialMs: 1000,
    retryMaximumMs: 300_000,
    resyncMs: 600_000,
    handlesVolumesInUse: true,
    hasExtraModifyMetadata: false,
    modifiesVolumes: true,
  });
});
