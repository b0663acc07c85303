import { StowageError } from "@stowage/machinery";

export interface NameOptions {
  readonly prefix: string;
  /** Of the uid without its dashes; the whole uid when left out. */
  readonly uuidLength?: number;
}

/** What the storage is to call a snapshot. The same at every try: it is by its name that the driver knows a repeated call. */
export function storageName({ prefix, uuidLength }: NameOptions, uid: string | undefined, contentName: string): string {
  if (uid === undefined || uid === "") {
    throw new StowageError("SNAPSHOT_IMPOSSIBLE", `${contentName} refers to no snapshot: the reference has no uid`, {
      nextStep: "Nothing to do if the snapshot controller runs, which fills it in; check that it does.",
    });
  }
  if (uuidLength === undefined || uuidLength < 0) return `${prefix}-${uid}`;
  return `${prefix}-${uid.replaceAll("-", "").slice(0, uuidLength)}`;
}
