import { type PodSpec, persistentVolumeClaims, persistentVolumes, pods } from "@stowage/machinery";
import { claimed, endUser, provide, startUser } from "../csi-objects.ts";
import { container, serving } from "../pod-objects.ts";
import type { Scenario } from "../scenario.ts";

const compares = [pods, persistentVolumes, persistentVolumeClaims];
const asDevice = {
  spec: { volumeMode: "Block" as const },
  claim: { volumeMode: "Block" as const },
  csi: { fsType: undefined },
};
const user: PodSpec = {
  ...claimed,
  containers: [
    container(`test -b /dev/data && { ${serving}; }`, { volumeDevices: [{ name: "data", devicePath: "/dev/data" }] }),
  ],
};

export const devices: Scenario[] = [
  {
    name: "a volume is a device, and is given back",
    compares,
    events: ["Pod"],
    async run(scene) {
      const driver = await scene.startDriver({
        options: { attaches: false },
        spec: { attachRequired: false },
        devices: true,
      });
      await provide(scene, driver, asDevice);
      await startUser(scene, user);
      await endUser(scene, driver, "NodeUnstageVolume");
    },
  },
  {
    name: "a device that has to be attached",
    compares,
    async run(scene) {
      const driver = await scene.startDriver({ spec: { attachRequired: true }, sidecars: ["attacher"], devices: true });
      await provide(scene, driver, asDevice);
      await startUser(scene, user);
      await endUser(scene, driver, "ControllerUnpublishVolume");
    },
  },
];
