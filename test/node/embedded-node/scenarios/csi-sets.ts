import { persistentVolumeClaims, pods, statefulSets, volumeAttachments } from "@stowage/machinery";
import { className, createClass, untilCalled, volumeMounts } from "../csi-objects.ts";
import { container, serving } from "../pod-objects.ts";
import type { Scenario } from "../scenario.ts";

const labels = { app: "set" };
const resources = { requests: { storage: "1Gi" } };

export const sets: Scenario[] = [
  {
    name: "each Pod of a set has a volume of its own, which stays when the last one goes",
    compares: [statefulSets, pods, persistentVolumeClaims, volumeAttachments],
    async run(scene) {
      const driver = await scene.startDriver({
        spec: { attachRequired: true },
        sidecars: ["provisioner", "attacher"],
      });
      await createClass(scene);
      const claim = { accessModes: ["ReadWriteOnce" as const], resources, storageClassName: className(scene) };
      await scene.create(statefulSets, {
        metadata: { name: "set" },
        spec: {
          serviceName: "set",
          replicas: 3,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { terminationGracePeriodSeconds: 1, containers: [container(serving, { volumeMounts })] },
          },
          volumeClaimTemplates: [
            { apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name: "data" }, spec: claim },
          ],
        },
      });
      // One after the other, so that the calls for one are over before those for the next begin.
      await scene.until(statefulSets, "set", ({ status }) => status?.readyReplicas === 3);
      await scene.patch(statefulSets, "set", { spec: { replicas: 2 } });
      await untilCalled(driver, "ControllerUnpublishVolume");
      await scene.until(statefulSets, "set", ({ status }) => status?.replicas === 2);
    },
  },
];
