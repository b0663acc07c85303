import { fieldDescriptions } from "./generated/field-descriptions.ts";

/** One column as clients get it. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Above 0, it is shown in wide output only. */
  readonly priority: number;
}

/** A field whose description is the column's, or the description itself. */
interface Words {
  readonly of?: keyof typeof fieldDescriptions;
  readonly says?: string;
}

/** A column of texts; the others are made from it. */
export function column(name: string, { of, says = "" }: Words): Column {
  const description = of === undefined ? says : fieldDescriptions[of];
  return { name, type: "string", format: "", description, priority: 0 };
}

export function typed(type: string, ...of: Parameters<typeof column>): Column {
  return { ...column(...of), type };
}

export function wide(...of: Parameters<typeof column>): Column {
  return { ...column(...of), priority: 1 };
}

export const nameColumn: Column = { ...column("Name", { of: "ObjectMeta.name" }), format: "name" };
export const ageColumn: Column = column("Age", { of: "ObjectMeta.creationTimestamp" });

/** What is known of the containers of a template, in wide output. */
export const containerColumns: readonly Column[] = [
  wide("Containers", { says: "Names of each container in the template." }),
  wide("Images", { says: "Images referenced by each container in the template." }),
];
