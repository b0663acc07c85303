import { join } from "node:path";

/** A driver that is to be registered with a node. */
export interface DriverFlags {
  readonly name: string;
  readonly nodeName: string;
  /** The node agent's own. */
  readonly kubeletFolder: string;
  readonly socket: string;
  readonly stateDir: string;
  /** Whether nodes need volumes attached. */
  readonly attach: "on" | "off";
}

/** Where drivers register with the node. */
export function registryIn(kubeletFolder: string): string {
  return join(kubeletFolder, "plugins_registry");
}

export function socketIn(kubeletFolder: string, driverName: string): string {
  return join(kubeletFolder, "plugins", driverName, "csi.sock");
}

/** As `stowage driver` takes them, with what only one kind of driver has. */
export function driverFlags(driver: DriverFlags, own: Readonly<Record<string, string>>): string[] {
  const flags = {
    "driver-name": driver.name,
    "node-id": driver.nodeName,
    "state-dir": driver.stateDir,
    endpoint: `unix://${driver.socket}`,
    "plugin-registration-path": registryIn(driver.kubeletFolder),
    attach: driver.attach,
    "log-level": "info",
    ...own,
  };
  return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
}

/** Of the mock alone: where it is told to go wrong, and asked what it was asked. */
export const mockFlags = { "control-endpoint": "127.0.0.1:0" };
