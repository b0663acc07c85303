import type { LooseObject } from "./loose-object.ts";
import type { KeptKeys } from "./object-metadata.ts";

/** These fields take the place of those that are there. `details` is told with the event, and must not hold a value. */
export interface FieldsChange {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly details?: string;
}

/** What is to be done about an object's content, that is everything but its metadata. */
export type ContentChange =
  /** Nothing: it is as wanted. */
  | undefined
  | FieldsChange
  /** The API does not allow the change: only a new object can have it. */
  | { readonly recreate: Readonly<Record<string, unknown>> };

export interface CompareOptions {
  /**
   * The generation that the object had when it was last written; another one means that somebody else has changed it since. -1
   * when it is not known. Left out, the content is compared instead.
   */
  readonly lastGeneration?: number;
}

/** How the objects of one kind are compared and written. */
export interface KindRule {
  /** What is sent and compared in place of what was given: defaults, hashes. Refuses what contradicts itself. */
  prepare?(required: LooseObject): LooseObject;
  readonly kept?: KeptKeys;
  compare(existing: LooseObject, required: LooseObject, options: CompareOptions): ContentChange;
}
