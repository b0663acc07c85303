import type { CustomResourceDefinition, JSONSchemaProps, ValidationRule } from "@stowage/machinery";
import { definitionOf, group, packedSchema } from "./definitions.ts";
import { everyTypeSchema } from "./rule-cases.ts";

type Spec = CustomResourceDefinition["spec"];

const text: JSONSchemaProps = { type: "string" };
const list = (items: JSONSchemaProps, more: JSONSchemaProps = {}): JSONSchemaProps => ({
  type: "array",
  items,
  ...more,
});

/** Schemas that no definition may have, and some that it may. */
const fields: Readonly<Record<string, JSONSchemaProps>> = {
  noType: {},
  unknownType: { type: "text" },
  nullType: { type: "null" },
  noItems: { type: "array" },
  typelessItems: list({}),
  typelessMap: { type: "object", additionalProperties: {} },
  both: { type: "object", properties: { a: text }, additionalProperties: text },
  anyAndProperties: { type: "object", properties: { a: text }, additionalProperties: true },
  typeInChoice: { type: "string", anyOf: [{ type: "string" }, { minLength: 1 }] },
  muchInChoice: {
    type: "object",
    oneOf: [{ title: "t", description: "d", nullable: true, default: {}, additionalProperties: text }],
  },
  extensionsInNot: {
    type: "array",
    items: text,
    not: {
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-int-or-string": true,
      "x-kubernetes-embedded-resource": true,
      "x-kubernetes-list-type": "set",
      "x-kubernetes-list-map-keys": ["a"],
      "x-kubernetes-map-type": "atomic",
    },
  },
  metadataInChoice: { type: "object", allOf: [{ properties: { metadata: { minProperties: 1 } } }] },
  rulesInChoice: { type: "string", allOf: [{ "x-kubernetes-validations": [{ rule: "self == ''" }] }] },
  badPattern: { type: "string", pattern: "(a" },
  badPatterns: {
    type: "string",
    pattern: "a**",
    anyOf: [{ pattern: "[b-a]" }, { pattern: "\\8" }, { pattern: "x{3,1}" }],
  },
  lookahead: { type: "string", pattern: "^(?=a)" },
  uniqueItems: list(text, { uniqueItems: true }),
  preservesNot: { type: "object", "x-kubernetes-preserve-unknown-fields": false },
  intOrStringFree: { "x-kubernetes-int-or-string": true, "x-kubernetes-preserve-unknown-fields": true },
  embeddedText: { type: "string", "x-kubernetes-embedded-resource": true },
  embeddedEmpty: { type: "object", "x-kubernetes-embedded-resource": true },
  embeddedMap: {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    "x-kubernetes-preserve-unknown-fields": true,
    additionalProperties: true,
  },
  embeddedMeta: {
    type: "object",
    "x-kubernetes-embedded-resource": true,
    properties: { metadata: { type: "string" }, kind: { type: "integer" } },
  },
  unknownListType: list(text, { "x-kubernetes-list-type": "bag" }),
  listTypeOfText: { type: "string", "x-kubernetes-list-type": "set" },
  setOfObjects: list({ type: "object" }, { "x-kubernetes-list-type": "set" }),
  setOfLists: list(list(text, { "x-kubernetes-list-type": "set" }), { "x-kubernetes-list-type": "set" }),
  nullableSet: list({ type: "string", nullable: true }, { "x-kubernetes-list-type": "set" }),
  mapWithoutKeys: list({ type: "object" }, { "x-kubernetes-list-type": "map" }),
  mapOfTexts: list(text, { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a"] }),
  mapOfWrongKeys: list(
    { type: "object", properties: { a: { type: "object" }, b: { type: "string", nullable: true } } },
    { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["a", "b", "c", "b"] },
  ),
  keysWithoutMap: list({ type: "object" }, { "x-kubernetes-list-map-keys": ["a"] }),
  keysOfSet: list(text, { "x-kubernetes-list-type": "set", "x-kubernetes-list-map-keys": ["a"] }),
  mapTypeOfText: { type: "string", "x-kubernetes-map-type": "atomic" },
  unknownMapType: { type: "object", "x-kubernetes-map-type": "grainy" },
  wrongDefault: { type: "integer", default: "x" },
  unknownInDefault: { type: "object", default: { a: 1, b: 2 }, properties: { a: { type: "integer" } } },
  shortDefault: { type: "string", default: "a", minLength: 3, pattern: "^b" },
  defaultOfItems: list({ type: "string", enum: ["a"], default: "b" }),
  defaultAgainstRule: { type: "integer", default: 3, "x-kubernetes-validations": [{ rule: "self > 5" }] },
  goodDefault: { type: "object", default: {}, properties: { a: { type: "string", default: "x" } } },
};

/** Rules that cannot be used, each for its reason. */
const rules: readonly ValidationRule[] = [
  { rule: "" },
  { rule: "self.missing == 1 || true" },
  { rule: "self.nothing == null" },
  { rule: "self.?missingOne.hasValue()" },
  { rule: "self.s + 1 == 'x'" },
  { rule: "self.s == 1" },
  { rule: "self.n" },
  { rule: "self.l.all(x, x)" },
  { rule: "self.l.exists(x, 1)" },
  { rule: "self.n.all(x, true)" },
  { rule: "self.l.filter(x, 1).size() == 1" },
  { rule: "self.l.exists_one(x, x)" },
  { rule: "self.l.map(x, 1, x).size() == 1" },
  { rule: "self.l.map(x, y).size() == 1" },
  { rule: "self.l.sortBy(x, x.y).size() == 1" },
  { rule: "self.ml.all(e, e.name == 'x' && e.wrong > 1)" },
  { rule: "int('x') == 1" },
  { rule: "self.n > 1 &&" },
  { rule: "self.n > > 1" },
  { rule: "self.l.all(x.y, true)" },
  { rule: "has(self)" },
  { rule: "sign(self.n) == 1" },
  { rule: "quantity(self.n).isInteger()" },
  { rule: "self.l.sum() == 1" },
  { rule: "optional.of(self.n) == 1" },
  { rule: "self.any.foo == 1 || self.any + 1 == 2" },
  { rule: "self.m.all(k, v, v == k)" },
  { rule: "unknown(self.s)" },
  { rule: "self.s.unknown()" },
  { rule: "nothing == 1" },
  { rule: "self.s.size(1) == 1" },
  { rule: "self.l[0] == 1" },
  { rule: "self.l['a'] == 'x'" },
  { rule: "self.s.b == 1" },
  { rule: "self.o.x.y == 1" },
  { rule: "self.b ? 1 : 'x'" },
  { rule: "!self.n" },
  { rule: "self.b && self.n" },
  { rule: "[1, 'a'].size() == 2" },
  { rule: "{'a': 1, 'b': 'c'}.size() == 2" },
  { rule: "self.namespace == 'x'" },
  { rule: "self.s.matches('(')" },
  { rule: "duration('x') > duration('1s')" },
  { rule: "timestamp('x') == self.time" },
  { rule: "self.time > self.span" },
  { rule: "cel.bind(x, 1, x == 1)" },
  { rule: "self.missing1 == self.missing2" },
  { rule: "self.n > 1", messageExpression: "self.n" },
  { rule: "self.n > 1", messageExpression: "self.missing" },
  { rule: "self.n > 1", messageExpression: " " },
  { rule: "self.n > 1", message: " " },
  { rule: "self.n > 1", message: "two\nlines" },
  { rule: "self.n\n> 1" },
  { rule: "self.n > 1", fieldPath: ".missing" },
  { rule: "self.n > 1", fieldPath: "n" },
  { rule: "self.n > 1", fieldPath: ".l[0]" },
  { rule: "self.n > 1", reason: "Because" as "FieldValueInvalid" },
  { rule: "self.n > 1", optionalOldSelf: true },
  { rule: "self.n > oldSelf.n" },
  { rule: "oldSelf.hasValue()", optionalOldSelf: true },
  { rule: "oldSelf.orValue(self).n == self.n", optionalOldSelf: true },
  { rule: "self.n\n\t> self.wrong", message: "tab" },
];

function named(
  plural: string,
  change: (spec: Spec, definition: CustomResourceDefinition) => void,
): CustomResourceDefinition {
  const definition = structuredClone(definitionOf({ plural, schema: packedSchema({ a: text }) }));
  change(definition.spec, definition);
  return definition;
}

function root(schema: JSONSchemaProps): CustomResourceDefinition {
  return definitionOf({ plural: "roots", schema });
}

const [version] = definitionOf({ plural: "things", schema: packedSchema({ a: text }) }).spec.versions;
const [otherVersion] = definitionOf({ plural: "things", schema: packedSchema({ b: text }) }).spec.versions;

/** Definitions to be created, with what is wrong with each in its name. */
export const definitionCases: Readonly<Record<string, CustomResourceDefinition>> = {
  good: definitionOf({ plural: "goods", schema: packedSchema({ a: text }) }),
  "without the names that have defaults": named("plains", ({ names }) => {
    delete names.singular;
    delete names.listKind;
  }),
  "with two versions": named("twins", (spec) => {
    if (version && otherVersion)
      spec.versions = [
        { ...version, storage: false },
        { ...otherVersion, name: "v2" },
      ];
  }),
  "wrong name": named("things", (_, definition) => {
    definition.metadata = { name: "other.example.com" };
  }),
  "wrong names": named("things", ({ names }) => {
    names.kind = "Not OK";
    names.listKind = "Not OK";
    names.singular = "-a";
    names.shortNames = ["ok", "Not"];
    names.categories = ["all", "a b"];
  }),
  "no scope": named("things", (spec) => {
    delete (spec as Partial<Spec>).scope;
  }),
  "unknown scope": named("things", (spec) => {
    spec.scope = "Galaxy";
  }),
  "group without a dot": named("things", (spec, definition) => {
    spec.group = "example";
    definition.metadata = { name: "things.example" };
  }),
  "group that is no domain": named("things", (spec, definition) => {
    spec.group = "Not_A.Domain";
    definition.metadata = { name: "things.Not_A.Domain" };
  }),
  "protected group": named("things", (spec, definition) => {
    spec.group = "x.k8s.io";
    definition.metadata = { name: "things.x.k8s.io" };
  }),
  "protected group with a wrong approval": named("things", (spec, definition) => {
    spec.group = "x.k8s.io";
    definition.metadata = { name: "things.x.k8s.io", annotations: { "api-approved.kubernetes.io": "please" } };
  }),
  "protected group without approval": named("things", (spec, definition) => {
    spec.group = "x.k8s.io";
    definition.metadata = {
      name: "things.x.k8s.io",
      annotations: { "api-approved.kubernetes.io": "unapproved, a test" },
    };
  }),
  "version that is no label": named("things", ({ versions: [first] }) => {
    if (first) first.name = "V_1";
  }),
  "no schema": named("things", ({ versions: [first] }) => {
    delete first?.schema;
  }),
  "unneeded deprecation warning": named("things", ({ versions: [first] }) => {
    if (first) first.deprecationWarning = "old";
  }),
  "long deprecation warning": named("things", ({ versions: [first] }) => {
    if (first) Object.assign(first, { deprecated: true, deprecationWarning: `${"x".repeat(257)}\n` });
  }),
  "wrong columns": named("things", ({ versions: [first] }) => {
    if (first)
      first.additionalPrinterColumns = [
        { name: "", type: "text", jsonPath: "" },
        { name: "a", type: "string", jsonPath: "spec.a", format: "odd" },
        { name: "b", type: "", jsonPath: ".spec.a" },
      ];
  }),
  "wrong scale": named("things", ({ versions: [first] }) => {
    if (first)
      first.subresources = {
        scale: { specReplicasPath: ".status.a", statusReplicasPath: "status.a", labelSelectorPath: ".metadata.a" },
      };
  }),
  "empty scale": named("things", ({ versions: [first] }) => {
    if (first) first.subresources = { scale: { specReplicasPath: "", statusReplicasPath: "" } };
  }),
  "wrong selectable fields": named("things", ({ versions: [first] }) => {
    if (first)
      first.selectableFields = [
        { jsonPath: ".spec.a" },
        { jsonPath: ".spec.a" },
        { jsonPath: ".spec" },
        { jsonPath: ".spec.missing" },
        { jsonPath: "spec" },
        { jsonPath: ".spec['a']" },
      ];
  }),
  "unknown conversion": named("things", (spec) => {
    spec.conversion = { strategy: "Magic" };
  }),
  "webhook without the strategy": named("things", (spec) => {
    spec.conversion = {
      strategy: "None",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://a.b" } },
    };
  }),
  "preserves unknown fields": named("things", (spec) => {
    spec.preserveUnknownFields = true;
  }),
  "root without a type": root({ properties: { spec: text } }),
  "root of texts": root({ type: "string" }),
  "root with additional properties": root({ type: "object", additionalProperties: text }),
  "nullable root": root({ type: "object", nullable: true }),
  "root that speaks of metadata": root({
    type: "object",
    properties: {
      metadata: { type: "object", properties: { name: text, labels: { type: "object" } } },
      kind: { type: "integer" },
    },
  }),
  "root with limits of the name": root({
    type: "object",
    properties: { metadata: { type: "object", properties: { name: { type: "string", maxLength: 10 } } } },
  }),
  "root with defaults of metadata": root({
    type: "object",
    properties: { metadata: { type: "object", default: {} }, apiVersion: { type: "string", default: "x" } },
  }),
  "root whose choices speak of what is not there": root({
    type: "object",
    properties: { a: text },
    anyOf: [{ properties: { b: { minLength: 1 }, a: { items: { minLength: 1 } } } }],
  }),
  "root with a rule of the name": root({
    type: "object",
    "x-kubernetes-validations": [
      { rule: "self.metadata.name.startsWith('a')" },
      { rule: "self.metadata.labels.size() > 0" },
    ],
  }),
  "rule of items about their past": root({
    type: "object",
    properties: {
      l: list(
        { type: "string", maxLength: 5, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
        { maxItems: 5 },
      ),
    },
  }),
  ...Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [
      `field ${name}`,
      definitionOf({ plural: "fields", schema: packedSchema({ [name]: schema }) }),
    ]),
  ),
  ...Object.fromEntries(
    rules.map((rule) => [
      `rule ${JSON.stringify(rule)}`,
      definitionOf({
        plural: "rules",
        schema: packedSchema({ x: { ...everyTypeSchema, "x-kubernetes-validations": [rule] } }),
      }),
    ]),
  ),
};

export { group };
