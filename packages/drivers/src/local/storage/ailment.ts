/** Something that is wrong with a volume. */
export interface Ailment {
  /** `degraded`: it can be used with restrictions. `inaccessible`: not at all, and nothing is lost. */
  readonly status: "degraded" | "inaccessible" | "dataLoss";
  /** For programs, in CamelCase. Alerts may name it: renaming one breaks them. */
  readonly reason: AilmentReason;
  /** For people: what, where, and what to do. */
  readonly message: string;
}

export type AilmentReason =
  | "StateFileDamaged"
  | "ContentMissing"
  | "ContentTooShort"
  | "ContentUnreadable"
  | "FileSystemErrors"
  | "FileSystemReadOnly"
  | "FileSystemShutDown"
  | "NotStaged"
  | "NotPublished";
