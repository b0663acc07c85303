import type { ResolvedOptions } from "./options.ts";
import type { DriverState } from "./state/driver-state.ts";
import type { Contents } from "./storage/contents.ts";
import type { NodeMounts } from "./storage/node-mounts.ts";

/** What the services work with. */
export interface LocalDeps {
  readonly options: ResolvedOptions;
  readonly state: DriverState;
  readonly contents: Contents;
  readonly mounts: NodeMounts;
}
