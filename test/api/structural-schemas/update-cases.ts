import type { JSONSchemaProps } from "@stowage/machinery";

const text: JSONSchemaProps = { type: "string", maxLength: 20 };

const loose: Readonly<Record<string, JSONSchemaProps>> = {
  word: text,
  count: { type: "integer" },
  once: text,
  kept: { type: "object", properties: { a: text, b: text } },
  list: { type: "array", maxItems: 5, items: text },
  set: { type: "array", maxItems: 5, "x-kubernetes-list-type": "set", items: text },
  parts: {
    type: "array",
    maxItems: 5,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["name"],
    items: { type: "object", required: ["name"], properties: { name: text, size: { type: "integer" } } },
  },
  map: { type: "object", maxProperties: 5, additionalProperties: text },
};

function spec(properties: Readonly<Record<string, JSONSchemaProps>>, rules: JSONSchemaProps = {}): JSONSchemaProps {
  return { type: "object", properties: { spec: { type: "object", properties: { ...properties }, ...rules } } };
}

export const looseSchema = spec(loose);

/** What is stored breaks much of this, and may stay as long as nobody touches it. */
export const strictSchema = spec(
  {
    ...loose,
    word: { ...text, enum: ["good", "better"], "x-kubernetes-validations": [{ rule: "self != 'bad'" }] },
    count: {
      type: "integer",
      minimum: 10,
      "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "only up" }],
    },
    once: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "set once" }] },
    kept: { type: "object", required: ["b"], properties: { a: { ...text, minLength: 5 }, b: text } },
    list: {
      type: "array",
      maxItems: 5,
      items: { ...text, pattern: "^x", "x-kubernetes-validations": [{ rule: "self != 'y'" }] },
    },
    set: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "set",
      items: text,
      "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "the same set" }],
    },
    parts: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      items: {
        type: "object",
        required: ["name"],
        properties: {
          name: { ...text, pattern: "^p" },
          size: {
            type: "integer",
            minimum: 5,
            "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "no shrinking" }],
          },
        },
        "x-kubernetes-validations": [{ rule: "self.size != 3" }],
      },
    },
    map: {
      type: "object",
      maxProperties: 5,
      additionalProperties: { ...text, maxLength: 3, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
  },
  {
    "x-kubernetes-validations": [
      { rule: "!has(oldSelf.once) || has(self.once)", message: "once cannot go" },
      { rule: "oldSelf.hasValue() || self.count > 100", optionalOldSelf: true, message: "new ones start above 100" },
    ],
  },
);

export const storedSpec = {
  word: "bad",
  count: 3,
  once: "x",
  kept: { a: "a" },
  list: ["y", "x"],
  set: ["a", "b"],
  parts: [
    { name: "q", size: 3 },
    { name: "p", size: 4 },
  ],
  map: { a: "long text" },
};

/** What to make of the stored one. */
export const changes: readonly ((spec: typeof storedSpec) => unknown)[] = [
  (old) => old,
  (old) => ({ ...old, word: "worse" }),
  (old) => ({ ...old, word: "good" }),
  (old) => ({ ...old, count: 4 }),
  (old) => ({ ...old, count: 2 }),
  (old) => ({ ...old, count: 20 }),
  (old) => ({ ...old, count: "x" }),
  (old) => ({ ...old, once: "y" }),
  (old) => Object.fromEntries(Object.entries(old).filter(([name]) => name !== "once")),
  (old) => ({ ...old, kept: { a: "b" } }),
  (old) => ({ ...old, kept: { a: "a", b: "b" } }),
  (old) => ({ ...old, list: ["x", "y"] }),
  (old) => ({ ...old, list: ["y", "x", "xx"] }),
  (old) => ({ ...old, set: ["b", "a"] }),
  (old) => ({ ...old, set: ["b", "c"] }),
  (old) => ({ ...old, set: ["b", "b"] }),
  (old) => ({ ...old, parts: old.parts.toReversed() }),
  (old) => ({
    ...old,
    parts: [
      { name: "q", size: 2 },
      { name: "p", size: 6 },
    ],
  }),
  (old) => ({ ...old, parts: [{ name: "n", size: 9 }] }),
  (old) => ({ ...old, parts: [...old.parts, { name: "p2", size: 1 }] }),
  (old) => ({ ...old, map: { a: "long text", b: "another one" } }),
  (old) => ({ ...old, map: { a: "b" } }),
  (old) => ({ ...old, map: {} }),
  () => ({}),
  () => null,
];
