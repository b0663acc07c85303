import type {
  ControllerCapabilityName,
  CsiClient,
  GroupControllerCapabilityName,
  PluginCapabilityName,
} from "@stowage/csi";

/** What the driver said of itself when the sidecars started. They start anew when the driver does. */
export interface DriverProfile {
  readonly name: string;
  readonly plugin: ReadonlySet<PluginCapabilityName>;
  readonly controller: ReadonlySet<ControllerCapabilityName>;
  readonly groupController: ReadonlySet<GroupControllerCapabilityName>;
}

export async function readDriverProfile(csi: CsiClient): Promise<DriverProfile> {
  const [name, plugin, controller, groupController] = await Promise.all([
    csi.driverName(),
    csi.pluginCapabilities(),
    csi.controllerCapabilities(),
    csi.groupControllerCapabilities(),
  ]);
  return { name, plugin, controller, groupController };
}
