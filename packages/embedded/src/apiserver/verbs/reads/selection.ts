import type { FieldMatcher, LabelMatcher, Labels } from "@stowage/machinery";
import type { ServedResource } from "../../resources/index.ts";
import { namesInKey } from "../object-key.ts";
import { checkFieldLabels, type DecodedObject, fieldReader } from "./field-labels.ts";
import { valueText } from "./json-text.ts";

/** An object of which as much is decoded as has to be, and that once. */
export class ObjectView {
  readonly key: string;
  readonly text: string;
  #decoded: DecodedObject | undefined;
  #labels: Labels | undefined;

  constructor({ key, text }: { readonly key: string; readonly text: string }) {
    this.key = key;
    this.text = text;
  }

  get decoded(): DecodedObject {
    this.#decoded ??= JSON.parse(this.text) as DecodedObject;
    return this.#decoded;
  }

  /** Read from where they are in the text: of a large object they are a small part, and near its beginning. */
  get labels(): Labels {
    this.#labels ??= JSON.parse(valueText(this.text, "metadata", "labels") ?? "{}") as Labels;
    return this.#labels;
  }
}

interface Selectors {
  readonly labels: LabelMatcher;
  readonly fields: FieldMatcher;
}

/** Which objects of a resource a client has asked for. */
export class Selection {
  readonly #labels: LabelMatcher;
  readonly #fields: FieldMatcher;
  readonly #read: (object: DecodedObject, label: string) => string;

  /** Throws when the resource cannot be selected so. */
  constructor({ labels, fields }: Selectors, resource: ServedResource) {
    checkFieldLabels(fields, resource);
    this.#labels = labels;
    this.#fields = fields;
    this.#read = fieldReader(resource);
  }

  get isEverything(): boolean {
    return this.#labels.isEmpty() && this.#fields.isEmpty();
  }

  /** That all of them have, if there is just one. */
  get name(): string | undefined {
    return this.#fields.requiredValue("metadata.name");
  }

  get namespace(): string | undefined {
    return this.#fields.requiredValue("metadata.namespace");
  }

  matches(view: ObjectView): boolean {
    return (
      this.#fields.matches((field) => this.#fieldOf(view, field)) &&
      (this.#labels.isEmpty() || this.#labels.matches(view.labels))
    );
  }

  #fieldOf(view: ObjectView, field: string): string {
    if (field === "metadata.name") return namesInKey(view.key).name;
    if (field === "metadata.namespace") return namesInKey(view.key).namespace;
    return this.#read(view.decoded, field);
  }
}
