/** One field of a type of the original. */
export interface GoField {
  readonly go: string;
  readonly json: string;
  /** Left out when it is empty. */
  readonly isOptional: boolean;
  readonly type: string;
}

/** Finds types in a table of them; see `volume-types.ts` for how they are written there. */
export class GoTypes {
  readonly #table: Readonly<Record<string, string>>;
  readonly #read = new Map<string, readonly GoField[]>();

  constructor(table: Readonly<Record<string, string>>) {
    this.#table = table;
  }

  fieldsOf(name: string): readonly GoField[] {
    const known = this.#read.get(name) ?? (this.#table[name] ?? "").split(" ").flatMap((row) => this.#fields(row));
    this.#read.set(name, known);
    return known;
  }

  #fields(row: string): readonly GoField[] {
    if (row.startsWith("~")) return this.fieldsOf(row.slice(1));
    const [go = "", json = "", type = ""] = row.split(":");
    const isOptional = json.endsWith("?");
    return [{ go, json: isOptional ? json.slice(0, -1) : json, isOptional, type }];
  }
}
