/**
 * What drivers, and whoever plays kubelet, do on the machine. `executor.ts`: the one way to the system's programs, with `command-error.ts`.
 * `mounter.ts`: mounts, looked up in the kernel's own table (`mount-table.ts`) and never remembered.
 * `device-number.ts`: how programs write the number of a device.
 */
export { CommandError, type CommandFailure } from "./command-error.ts";
export { deviceNumber } from "./device-number.ts";
export {
  type CommandOptions,
  type CommandResult,
  commandEnvironment,
  createSystemExecutor,
  type Executor,
  heldDescriptorOfCommands,
  systemExecutor,
} from "./executor.ts";
export { isMountOf, type MountEntry, parseMountTable } from "./mount-table.ts";
export { createMounter, type Mounter, type MountRequest, mountAt, unmountAll } from "./mounter.ts";
