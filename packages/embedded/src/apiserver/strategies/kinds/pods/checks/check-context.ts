import type { JsonObject } from "@stowage/machinery/apply";

/** What a check of a spec depends on beside the spec. */
export interface PodCheckOptions {
  /** Of the Pod itself: templates are checked for less. */
  readonly metadata?: JsonObject;
  /** The spec that was there before; some of what would be wrong in a new one may stay. */
  readonly old?: JsonObject;
}

/** What the checks of containers have to know of the Pod. */
export interface PodContext {
  readonly spec: JsonObject;
  readonly options: PodCheckOptions;
  /** The volumes that nothing is wrong with, by name. */
  readonly volumes: ReadonlyMap<string, JsonObject>;
  readonly claimNames: ReadonlySet<string>;
}
