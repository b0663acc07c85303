import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "../../api/index.ts";
import { dns1123SubdomainErrors } from "../../names/index.ts";
import type { JsonObject, JsonValue } from "../../patches/json-value.ts";
import { type RuleTree, ruleTree } from "../cel/rule-tree.ts";
import { ruleErrors } from "../cel/rule-validator.ts";
import { type FieldError, invalid, omittedValue } from "../errors/field-error.ts";
import { coerceEmbedded, embeddedErrors } from "../metadata/embedded-resources.ts";
import { metadataErrors } from "../metadata/metadata-errors.ts";
import { Correlation } from "../schema/correlation.ts";
import { applyDefaults } from "../schema/defaulting.ts";
import { pruneNulls, pruneObject } from "../schema/pruning.ts";
import { parseSchema, type SchemaNode } from "../schema/schema-node.ts";
import { duplicateErrors } from "../values/list-types.ts";
import { checkUpdate } from "../values/ratcheting.ts";
import { findingErrors } from "../values/value-result.ts";
import { checkValue } from "../values/value-validator.ts";
import { isNestedDeeperThan } from "./nesting.ts";
import { scaleErrors } from "./scale-checks.ts";

/** What came of reading an object that a client sent. */
export interface ReadResource {
  /** Paths of what was taken out, for `fieldValidation=Strict` and for warnings. */
  readonly unknownFields: readonly string[];
  /**
   * Set when the metadata of a resource within the object cannot be read, or the object is nested too deeply: it is then as it was,
   * and the request is a bad one.
   */
  readonly problem: FieldError | undefined;
}

/**
 * One version of a CustomResourceDefinition, ready to take objects. Making it costs nothing: its schema is read when the first object
 * comes, its rules and patterns when the first value comes to them.
 */
export class CustomResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly #version: CustomResourceDefinitionVersion;
  readonly #preservesAll: boolean;
  #schema: SchemaNode | undefined;
  #rules: RuleTree | false | undefined;

  constructor(definition: CustomResourceDefinition, version: CustomResourceDefinitionVersion) {
    const { group, names, scope, preserveUnknownFields } = definition.spec;
    this.group = group;
    this.version = version.name;
    this.kind = names.kind;
    this.namespaced = scope === "Namespaced";
    this.#version = version;
    this.#preservesAll = preserveUnknownFields === true;
  }

  /** Objects have a status that is written apart. */
  get hasStatus(): boolean {
    return this.#version.subresources?.status !== undefined;
  }

  get schema(): SchemaNode {
    this.#schema ??= parseSchema(this.#version.schema?.openAPIV3Schema ?? { type: "object" });
    return this.#schema;
  }

  get #ruleTree(): RuleTree | undefined {
    this.#rules ??= ruleTree(this.schema, true) ?? false;
    return this.#rules === false ? undefined : this.#rules;
  }

  /**
   * Prunes and defaults an object in place, in the order of the API server; `metadata` is left to whoever reads the request. What
   * an apply has made keeps its nulls, and is refused for them.
   */
  read(object: JsonObject, isApplied = false): ReadResource {
    if (isNestedDeeperThan(object, mostLevels)) {
      const problem = invalid("", omittedValue, `must not be nested deeper than ${mostLevels} levels`);
      return { unknownFields: [], problem };
    }
    const unknownFields = this.#preservesAll ? [] : pruneObject(object, this.schema);
    if (!this.#preservesAll && !isApplied) pruneNulls(object, this.schema);
    const problem = coerceEmbedded(object, { ...this.schema, embeddedResource: false }, unknownFields);
    applyDefaults(object, this.schema);
    return { unknownFields, problem };
  }

  /** An object that is to be created, after `read`. */
  validateCreate(object: JsonObject): FieldError[] {
    const typeErrors = this.#typeErrors(object);
    if (typeErrors.length > 0) return typeErrors;
    const rules = { namespaced: this.namespaced, nameProblems: nameProblems };
    return this.#withRules(object, undefined, [
      ...metadataErrors(objectOf(object["metadata"]), "metadata", rules),
      ...findingErrors("", checkValue(object, this.schema, "")),
      ...this.#scaleErrors(object, false),
      ...embeddedErrors(object, { ...this.schema, embeddedResource: false }),
      ...duplicateErrors(object, this.schema),
    ]);
  }

  /**
   * An object that replaces another, beside what its metadata must keep: that is the same for every kind, and its errors come
   * before these.
   */
  validateUpdate(object: JsonObject, old: JsonObject): FieldError[] {
    const typeErrors = this.#typeErrors(object);
    if (typeErrors.length > 0) return typeErrors;
    const correlation = new Correlation(object, old, this.schema);
    const oldDuplicates = duplicateErrors(old, this.schema);
    return this.#withRules(object, correlation, [
      ...findingErrors("", checkUpdate(this.schema, "", correlation)),
      ...this.#scaleErrors(object, false),
      ...embeddedErrors(object, { ...this.schema, embeddedResource: false }),
      ...(oldDuplicates.length > 0 ? [] : duplicateErrors(object, this.schema)),
    ]);
  }

  /** An object of which only the status is new. */
  validateStatusUpdate(object: JsonObject, old: JsonObject): FieldError[] {
    const correlation = new Correlation(object, old, this.schema);
    const statusNode = this.schema.properties.get("status");
    const ofStatus = correlation.field("status");
    const status = object["status"];
    const newDuplicates = duplicateErrors(object, this.schema);
    const checked =
      status === undefined || statusNode === undefined
        ? undefined
        : ofStatus === undefined
          ? checkValue(status, statusNode, "")
          : checkUpdate(statusNode, "", ofStatus);
    return this.#withRules(object, correlation, [
      ...(checked === undefined ? [] : findingErrors("status", checked)),
      ...this.#scaleErrors(object, true),
      ...(newDuplicates.length > 0 && duplicateErrors(old, this.schema).length > 0 ? [] : newDuplicates),
    ]);
  }

  /** Rules are only asked about objects whose parts are what their types say. */
  #withRules(object: JsonObject, correlation: Correlation | undefined, errors: FieldError[]): FieldError[] {
    const tree = this.#ruleTree;
    if (tree === undefined) return errors;
    if (errors.some(({ type }) => blocking.has(type))) return [...errors, invalid("", null, rulesSkipped)];
    return [...errors, ...ruleErrors(tree, object, correlation)];
  }

  #typeErrors(object: JsonObject): FieldError[] {
    const apiVersion = `${this.group}/${this.version}`;
    return [
      ...(object["kind"] === this.kind ? [] : [invalid("kind", object["kind"] ?? "", `must be ${this.kind}`)]),
      ...(object["apiVersion"] === apiVersion
        ? []
        : [invalid("apiVersion", object["apiVersion"] ?? "", `must be ${apiVersion}`)]),
    ];
  }

  #scaleErrors(object: JsonObject, onlyStatus: boolean): FieldError[] {
    const scale = this.#version.subresources?.scale;
    return scale === undefined ? [] : scaleErrors(object, scale, onlyStatus);
  }
}

/** All that walks an object does so by recursion. Nothing that people write comes near. */
const mostLevels = 1000;

const blocking: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

const rulesSkipped =
  "some validation rules were not checked because the object was invalid; correct the existing errors to complete validation";

/** A prefix may end in a hyphen: the rest of the name comes later. */
function nameProblems(name: string, isPrefix: boolean): readonly string[] {
  return dns1123SubdomainErrors(isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name);
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
