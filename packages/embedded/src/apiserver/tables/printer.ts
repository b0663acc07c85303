import type { KubernetesObject } from "@stowage/machinery";
import type { Ages } from "./ages.ts";
import type { Column } from "./columns.ts";

export type Cell = string | number | boolean | null;

/** Something about a row that clients may hide it by. */
export interface RowCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

/** How objects of a kind are shown in a table. */
export interface Printer<T = KubernetesObject> {
  readonly columns: readonly Column[];
  /** One for each column. */
  cells(object: T, ages: Ages): readonly Cell[];
  conditions?(object: T): readonly RowCondition[] | undefined;
  /** An empty table has null for its rows. It is how the real server's general printer answers, and clients see it. */
  readonly hasNullRows?: boolean;
  /** Every event of a watch has the columns, and not the first one alone. */
  readonly repeatsColumns?: boolean;
}

/** By kind and group: `Pod.`, `Deployment.apps`. */
export type Printers = Readonly<Record<string, Printer>>;

/**
 * For the tables of printers: whatever the store has under a kind is of its type. Bookmarks have nothing but metadata, so that only
 * what every object has may be taken for granted.
 */
export function printer<T extends KubernetesObject>(of: Printer<Sparse<T>>): Printer {
  return of as unknown as Printer;
}

/** Nothing below is sure to be there: a bookmark is printed as an object of the kind, too. */
export type Sparse<T> = T extends readonly (infer Item)[]
  ? readonly Sparse<Item>[]
  : T extends object
    ? { readonly [K in keyof T]?: Sparse<T[K]> | undefined }
    : T;
