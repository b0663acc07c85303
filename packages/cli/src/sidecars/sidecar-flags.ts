import type { ControllerCapabilityName, PluginCapabilityName } from "@stowage/csi";
import type { OptionTable } from "../options/option-table.ts";

/** What a driver can do, as far as a sidecar asks. */
interface DriverAbilities {
  readonly name: string;
  readonly plugin: ReadonlySet<PluginCapabilityName>;
  readonly controller: ReadonlySet<ControllerCapabilityName>;
}

/** One sidecar as the command line knows it. What runs it is loaded when it is run: see `sidecar-maker.ts`. */
export interface SidecarFlags<Table extends OptionTable = OptionTable> {
  readonly name: string;
  readonly summary: string;
  /** With the original's names and defaults; those that all sidecars have are in `common-options.ts`. */
  readonly options: Table;
  /** Why there is nothing to do for it with this driver; undefined when there is. */
  idleReason?(driver: DriverAbilities): string | undefined;
}

/** Keeps the types of the flags. */
export function defineSidecarFlags<const Table extends OptionTable>(flags: SidecarFlags<Table>): SidecarFlags<Table> {
  return flags;
}
