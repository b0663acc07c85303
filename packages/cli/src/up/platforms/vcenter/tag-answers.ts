export interface TagRequest {
  readonly method: string;
  /** After `/rest`, with what is behind the question mark. */
  readonly path: string;
  readonly body: unknown;
}

export interface TagAnswer {
  readonly status: number;
  readonly value?: unknown;
}

type Fields = Readonly<Record<string, unknown>>;
type Kind = "category" | "tag";

interface Call {
  readonly id: string;
  readonly body: Fields;
}

const place = /^\/com\/vmware\/cis\/(?:tagging\/)?([\w-]+)(?:\/id:([^?]*))?(?:\?~action=([\w-]+))?$/u;
const done: TagAnswer = { status: 200 };

/** vCenter's other API: sessions for everybody, and tags, which it keeps while it runs. */
export class TagAnswers {
  readonly #kept: Readonly<Record<Kind, Map<string, Fields>>> = { category: new Map(), tag: new Map() };
  /** Tag and object, of each that is attached. */
  readonly #attached: (readonly [tag: string, object: string])[] = [];
  readonly #answers: Readonly<Record<string, (call: Call) => TagAnswer>> = {
    "POST session": () => ok("simulated"),
    "DELETE session": () => done,
    "GET category": () => ok([...this.#kept.category.keys()]),
    "POST category": ({ body }) => this.#create("category", body),
    "GET category id": ({ id }) => this.#find("category", id),
    "PATCH category id": ({ id, body }) => this.#update(id, body),
    "POST tag": ({ body }) => this.#create("tag", body),
    "GET tag id": ({ id }) => this.#find("tag", id),
    "POST tag id list-tags-for-category": ({ id }) => ok(this.#tagsOf(id)),
    "POST tag-association list-attached-tags": ({ body }) => ok(this.#tagsOn(body)),
    "POST tag-association id attach": ({ id, body }) => this.#attach(id, body),
  };

  answer({ method, path, body }: TagRequest): TagAnswer {
    const [, kind = "", id, action] = place.exec(path) ?? [];
    const words = [method, kind, ...(id === undefined ? [] : ["id"]), ...(action === undefined ? [] : [action])];
    const key = words.join(" ");
    const found = Object.hasOwn(this.#answers, key) ? this.#answers[key] : undefined;
    return found === undefined ? { status: 404 } : found({ id: id ?? "", body: fieldsIn(body) });
  }

  #create(kind: Kind, { create_spec: given }: Fields): TagAnswer {
    const id = `urn:vmomi:InventoryService:${kind}:${this.#kept[kind].size + 1}`;
    this.#kept[kind].set(id, { ...fieldsIn(given), id });
    return ok(id);
  }

  #find(kind: Kind, id: string): TagAnswer {
    const found = this.#kept[kind].get(id);
    return found === undefined ? { status: 404 } : ok(found);
  }

  #update(id: string, { update_spec: given }: Fields): TagAnswer {
    const found = this.#kept.category.get(id);
    if (found === undefined) return { status: 404 };
    this.#kept.category.set(id, { ...found, ...fieldsIn(given) });
    return done;
  }

  #tagsOf(categoryId: string): string[] {
    const own = [...this.#kept.tag].filter(([, tag]) => tag["category_id"] === categoryId);
    return own.map(([id]) => id);
  }

  #tagsOn(body: Fields): string[] {
    return this.#attached.filter(([, object]) => object === objectIn(body)).map(([tag]) => tag);
  }

  #attach(tag: string, body: Fields): TagAnswer {
    if (!this.#kept.tag.has(tag)) return { status: 404 };
    this.#attached.push([tag, objectIn(body)]);
    return done;
  }
}

function objectIn({ object_id: object }: Fields): string {
  return String(fieldsIn(object)["id"]);
}

function fieldsIn(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function ok(value: unknown): TagAnswer {
  return { status: 200, value };
}
