import type { Backend } from "./backend/backend.ts";
import type { MockSettings } from "./options.ts";

/** What the functions of the driver work with. */
export interface MockDeps {
  readonly settings: MockSettings;
  readonly backend: Backend;
}
