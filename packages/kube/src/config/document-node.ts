import { StowageError } from "@stowage/machinery";

/** Go reads YAML 1.1, where these all count. */
const booleanWords: Readonly<Record<string, boolean>> = {
  true: true,
  yes: true,
  on: true,
  false: false,
  no: false,
  off: false,
};

/**
 * One place in a kubeconfig document, which knows its file and path so that every complaint can name them. It never repeats
 * a value: it could be a secret. Scalars arrive as the text that stands in the file, and null counts as absent, as in Go.
 */
export class DocumentNode {
  readonly file: string;
  readonly path: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(file: string, path: string, value: unknown) {
    this.file = file;
    this.path = path;
    if (!isMapping(value ?? {})) {
      throw this.#wrongShape(path, "a map", value);
    }
    this.#fields = (value ?? {}) as Record<string, unknown>;
  }

  string(key: string): string | undefined {
    const value = this.#fields[key];
    if (value === undefined || value === null || value === "") {
      return undefined;
    }
    if (typeof value !== "string") {
      throw this.#wrongShape(this.#pathOf(key), "a string", value);
    }
    return value;
  }

  boolean(key: string): boolean | undefined {
    const value = this.string(key);
    if (value === undefined) {
      return undefined;
    }
    const meaning = booleanWords[value.toLowerCase()];
    if (meaning === undefined) {
      throw this.invalid(key, "must be true or false");
    }
    return meaning;
  }

  map(key: string): DocumentNode | undefined {
    const value = this.#fields[key];
    return value === undefined || value === null ? undefined : new DocumentNode(this.file, this.#pathOf(key), value);
  }

  list(key: string): DocumentNode[] {
    return this.#items(key).map((item, index) => new DocumentNode(this.file, `${this.#pathOf(key)}[${index}]`, item));
  }

  strings(key: string): string[] {
    return this.#items(key).map((item, index) => {
      if (typeof item !== "string") {
        throw this.#wrongShape(`${this.#pathOf(key)}[${index}]`, "a string", item);
      }
      return item;
    });
  }

  keys(): string[] {
    return Object.keys(this.#fields);
  }

  invalid(key: string, complaint: string): StowageError {
    return new StowageError("KUBECONFIG_INVALID", `${this.file}: ${this.#pathOf(key)} ${complaint}.`);
  }

  #items(key: string): unknown[] {
    const value = this.#fields[key] ?? [];
    if (!Array.isArray(value)) {
      throw this.#wrongShape(this.#pathOf(key), "a list", value);
    }
    return value;
  }

  #pathOf(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  #wrongShape(path: string, expected: string, found: unknown): StowageError {
    const where = path === "" ? "the document" : path;
    return new StowageError(
      "KUBECONFIG_INVALID",
      `${this.file}: ${where} must be ${expected}, but is ${shapeOf(found)}.`,
    );
  }
}

function isMapping(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function shapeOf(value: unknown): string {
  if (value === null) {
    return "empty";
  }
  if (Array.isArray(value)) {
    return "a list";
  }
  return typeof value === "object" ? "a map" : "a plain value";
}
