/** What the tests of this folder feed to patches. */
import * as fc from "fast-check";
import type { Deployment } from "../api/index.ts";
import type { JsonValue } from "./json-value.ts";

/** Freezes all of a value, so that whoever changes it fails. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

/** Few names, so that two documents often share some, and those that are dangerous to mishandle. */
const name = fc.constantFrom("a", "b", "c", "a/b", "~1", "", "__proto__", "constructor", "toString");

function document(leaf: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  const { tree } = fc.letrec<{ tree: JsonValue }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      leaf,
      fc.array(tie("tree"), { maxLength: 4 }),
      fc.dictionary(name, tie("tree"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));
  return tree.map(frozen);
}

const plain = fc.constantFrom<JsonValue[]>(true, false, 0, 1, "", "x", "y");

/** Any JSON. */
export const json = document(fc.oneof(plain, fc.constant(null)));

/** Any JSON without null, which merge patches cannot set. */
const jsonWithoutNull = document(plain);

/** Any object without null. */
export const objectWithoutNull = fc
  .dictionary(name, jsonWithoutNull, { maxKeys: 4, noNullPrototype: true })
  .map(frozen);

const letter = fc.constantFrom("a", "b", "c", "d");
const labels = fc.dictionary(name, letter, { maxKeys: 3, noNullPrototype: true });

function optional<T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> {
  return fc.record(fields, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>;
}

/** A list of distinct items, each with its own key and some other fields. */
function keyed<T>(key: string, keys: fc.Arbitrary<unknown>, fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) {
  return fc.uniqueArray(
    fc.tuple(keys, optional(fields)).map(([value, rest]) => ({ [key]: value, ...rest })),
    { maxLength: 4, selector: (item) => item[key as keyof typeof item] },
  );
}

const container = {
  image: letter,
  args: fc.array(letter, { maxLength: 3 }),
  ports: keyed("containerPort", fc.integer({ min: 80, max: 83 }), {
    name: letter,
    protocol: fc.constantFrom("TCP", "UDP"),
  }),
  env: keyed("name", letter, { value: letter }),
  resources: optional({ limits: optional({ cpu: letter, memory: letter }) }),
};

const volumes = fc.uniqueArray(
  fc.oneof(
    fc.record({ name: letter, emptyDir: optional({ medium: letter }) }, { noNullPrototype: true }),
    fc.record({ name: letter, configMap: optional({ name: letter }) }, { noNullPrototype: true }),
  ),
  { maxLength: 3, selector: ({ name: key }) => key },
);

/** Deployments that a server need not accept, with every kind of list and object that strategic merge patch tells apart. */
export const deployment: fc.Arbitrary<Deployment> = fc
  .record({
    metadata: optional({ labels, annotations: labels, finalizers: fc.uniqueArray(letter, { maxLength: 3 }) }),
    spec: optional({
      replicas: fc.nat({ max: 2 }),
      strategy: optional({ type: letter, rollingUpdate: optional({ maxSurge: fc.nat({ max: 2 }) }) }),
      template: optional({
        metadata: optional({ labels }),
        spec: optional({
          containers: keyed("name", letter, container),
          volumes,
          tolerations: fc.array(optional({ key: letter, effect: letter }), { maxLength: 3 }),
          nodeSelector: labels,
        }),
      }),
    }),
  })
  .map((parts) => frozen({ apiVersion: "apps/v1", kind: "Deployment", ...parts } as unknown as Deployment));
