import { apply, create, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Request, Sequence, Step } from "../sequence.ts";

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "{id}.example.test";
const own = `${definitions}/boats.${group}`;
const boats = `/apis/${group}/v1/namespaces/{ns}/boats`;

const schema = (properties: Fields = {}, more: Fields = {}) => ({
  openAPIV3Schema: {
    type: "object",
    properties: { spec: { type: "object", properties: { sails: { type: "integer" }, ...properties } } },
    ...more,
  },
});

const version = (more: Fields = {}) => ({ name: "v1", served: true, storage: true, schema: schema(), ...more });

const definition = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `boats.${group}`, ...metadata },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList" },
    versions: [version()],
    ...spec,
  },
});

const boat = (name: string, fields: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: `${group}/v1`,
  kind: "Boat",
  metadata: { name, ...metadata },
  ...fields,
});

interface Conditioned {
  readonly status?: {
    readonly conditions?:
      | readonly { readonly type: string; readonly status: string; readonly reason?: string }[]
      | null;
  };
}

const has =
  (type: string, status = "True") =>
  (answer: Conditioned) =>
    answer.status?.conditions?.some((condition) => condition.type === type && condition.status === status) === true;

/** Not yet: what is first said is that it will begin soon. */
const terminates = (answer: Conditioned) =>
  answer.status?.conditions?.some(({ reason }) => reason === "InstanceDeletionInProgress") === true;

const until = (path: string, type: string, status?: string): Request => get(path, { awaits: has(type, status) });
const made = (spec: Fields = {}, metadata: Fields = {}): Step => create(definitions, definition(spec, metadata));
const gone = get(own, { awaits: 404 });
const established: readonly Step[] = [made(), until(own, "Established")];
const merged = (fields: unknown): Step => patch(own, mergePatch, fields);
const names = (more: Fields) => ({
  names: { plural: "boats", singular: "boat", kind: "Boat", listKind: "BoatList", ...more },
});

/** Those that are refused, and those that are not. */
const specs: Readonly<Record<string, Fields>> = {
  little: { names: { plural: "boats", kind: "Boat" } },
  "short names": names({ shortNames: ["bo", "bt"], categories: ["all"] }),
  "no group": { group: "" },
  "another group": { group: "x.example.test" },
  "a group that is none": { group: "A_" },
  "no scope": { scope: "" },
  "a scope that is none": { scope: "Everywhere" },
  "the scope of the cluster": { scope: "Cluster" },
  "no names": { names: {} },
  "another plural": names({ plural: "ships" }),
  "a plural in capitals": names({ plural: "Boats" }),
  "a kind that is none": names({ kind: "a b" }),
  "a list's kind like the kind": names({ listKind: "Boat" }),
  "a singular that is none": names({ singular: "Boat" }),
  "short names that are none": names({ shortNames: ["B_"], categories: ["A b"] }),
  "no versions": { versions: [] },
  "a version that is none": { versions: [version({ name: "V 1" })] },
  "a version twice": { versions: [version(), version({ storage: false })] },
  "no stored version": { versions: [version({ storage: false })] },
  "two stored versions": { versions: [version(), version({ name: "v2" })] },
  "two versions": { versions: [version(), version({ name: "v2", storage: false })] },
  "nothing served": { versions: [version({ served: false })] },
  "no schema": { versions: [version({ schema: undefined })] },
  "an empty schema": { versions: [version({ schema: {} })] },
  "a schema of a list": { versions: [version({ schema: { openAPIV3Schema: { type: "array" } } })] },
  "a field without a type": { versions: [version({ schema: schema({ a: {} }) })] },
  "a field of a type that is none": { versions: [version({ schema: schema({ a: { type: "boat" } }) })] },
  "a default": { versions: [version({ schema: schema({ a: { type: "string", default: "x" } }) })] },
  "a default that is none": { versions: [version({ schema: schema({ a: { type: "string", default: 3 } }) })] },
  "a rule": {
    versions: [
      version({ schema: schema({ a: { type: "integer", "x-kubernetes-validations": [{ rule: "self > 1" }] } }) }),
    ],
  },
  "a rule that is none": {
    versions: [
      version({ schema: schema({ a: { type: "integer", "x-kubernetes-validations": [{ rule: "self >" }] } }) }),
    ],
  },
  "unknown fields kept": { preserveUnknownFields: true },
  columns: {
    versions: [version({ additionalPrinterColumns: [{ name: "Sails", type: "integer", jsonPath: ".spec.sails" }] })],
  },
  "a column that is none": {
    versions: [version({ additionalPrinterColumns: [{ name: "", type: "x", jsonPath: "a" }] })],
  },
  "a status": { versions: [version({ subresources: { status: {} } })] },
  "a scale": {
    versions: [
      version({
        subresources: { scale: { specReplicasPath: ".spec.sails", statusReplicasPath: ".status.sails" } },
      }),
    ],
  },
  "a scale that is none": {
    versions: [version({ subresources: { scale: { specReplicasPath: ".x", statusReplicasPath: "" } } })],
  },
  "a deprecated version": { versions: [version({ deprecated: true, deprecationWarning: "old" })] },
  "a conversion that is none": { conversion: { strategy: "Magic" } },
  "a webhook without an address": { conversion: { strategy: "Webhook" } },
};

export const creations: readonly Sequence[] = [
  ...rows("a definition with", Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, [made(spec)]]))),
  ...rows("a definition", {
    "of another name": create(definitions, definition({}, { name: "boats" })),
    "without a name": create(definitions, definition({}, { name: undefined })),
    "without a spec": create(definitions, { metadata: { name: "a.b" } }),
    "with labels that are none": made({}, { labels: { "a b": "c" } }),
    "in dry run": [create(definitions, definition(), "?dryRun=All"), get(own)],
    twice: [made(), made()],
    "with a status": create(definitions, { ...definition(), status: { storedVersions: ["v7"] } }),
  }),
];

export const establishing: readonly Sequence[] = rows("a definition is established", {
  "with all its names": [made(names({ shortNames: ["bo-{id}"], categories: ["all"] })), until(own, "Established")],
  "and told of in its status": [...established, get(`${own}/status`)],
  "and can be used at once": [...established, create(boats, boat("a", { spec: { sails: 3 } })), get(`${boats}/a`)],
  "at the cluster's scope": [
    made({ scope: "Cluster" }),
    until(own, "Established"),
    create(`/apis/${group}/v1/boats`, boat("a")),
    create(boats, boat("a")),
  ],
  "and not before": [get(boats)],
  "in a group of Kubernetes that nobody approved": create(
    definitions,
    definition({ group: "{id}.k8s.io" }, { name: "boats.{id}.k8s.io" }),
  ),
  "by an apply": [apply(own, definition()), until(own, "Established"), apply(own, definition())],
  "and watched": [{ watch: `${definitions}?watch=1&fieldSelector=metadata.name%3Dboats.${group}`, until: 3 }, made()],
});

const other = (spec: Fields) =>
  create(
    definitions,
    definition(
      { ...names({ plural: "ships", singular: "ship", kind: "Ship", listKind: "ShipList" }), ...spec },
      { name: `ships.${group}` },
    ),
  );
const ships = `${definitions}/ships.${group}`;

export const conflicts: readonly Sequence[] = rows(
  "a second definition",
  {
    "with names of its own": [other({}), until(ships, "Established")],
    "with the kind of the first": [
      other(names({ plural: "ships", singular: "ship", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
    ],
    "with the singular of the first": [
      other(names({ plural: "ships", kind: "Ship", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
    ],
    "with the plural of the first as a short name": [
      other(
        names({ plural: "ships", singular: "ship", kind: "Ship", listKind: "ShipList", shortNames: ["boats", "sh"] }),
      ),
      until(ships, "NamesAccepted", "False"),
    ],
    "with two short names of the first": [
      other(
        names({ plural: "ships", singular: "ship", kind: "Ship", listKind: "ShipList", shortNames: ["boats", "boat"] }),
      ),
      until(ships, "NamesAccepted", "False"),
    ],
    "with the kind of the first's list": [
      other(names({ plural: "ships", singular: "ship", kind: "BoatList", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
    ],
    "is not served": [
      other(names({ plural: "ships", singular: "ship", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
      get(`/apis/${group}/v1/namespaces/{ns}/ships`),
    ],
    "gets names that become free": [
      other(names({ plural: "ships", singular: "ship", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
      remove(own),
      until(ships, "Established"),
    ],
    "that never was established goes": [
      other(names({ plural: "ships", singular: "ship", listKind: "ShipList" })),
      until(ships, "NamesAccepted", "False"),
      remove(ships),
      get(ships, { awaits: 404 }),
    ],
  },
  established,
);

const withVersions = (...versions: Fields[]) => merged({ spec: { versions } });

export const changes: readonly Sequence[] = rows(
  "a definition that changes",
  {
    "its group": merged({ spec: { group: "x" } }),
    "its scope": merged({ spec: { scope: "Cluster" } }),
    "its kind": [merged({ spec: { names: { kind: "Ship", listKind: "ShipList" } } }), get(own)],
    "its plural": merged({ spec: { names: { plural: "ships" } } }),
    "its short names": [
      merged({ spec: { names: { shortNames: ["bo-{id}"] } } }),
      get(own, { awaits: (answer) => answer.status.acceptedNames.shortNames?.length === 1 }),
      merged({ spec: { names: { shortNames: null } } }),
      get(own, { awaits: (answer) => answer.status.acceptedNames.shortNames === undefined }),
    ],
    "its stored version": [
      withVersions(version({ storage: false }), version({ name: "v2" })),
      get(own),
      get(`/apis/${group}/v2/namespaces/{ns}/boats`, { awaits: 200 }),
    ],
    "its stored version and takes the old one away": [
      withVersions(version({ storage: false }), version({ name: "v2" })),
      withVersions(version({ name: "v2" })),
    ],
    "what was stored": [
      withVersions(version({ storage: false }), version({ name: "v2" })),
      patch(`${own}/status`, mergePatch, { status: { storedVersions: ["v2"] } }),
      withVersions(version({ name: "v2" })),
      get(boats, { awaits: 404 }),
    ],
    "what was stored to nothing": patch(`${own}/status`, mergePatch, { status: { storedVersions: [] } }),
    "what was stored to something else": patch(`${own}/status`, mergePatch, { status: { storedVersions: ["v3"] } }),
    "its versions to none": merged({ spec: { versions: [] } }),
    "its version to one that is not served": [withVersions(version({ served: false })), get(boats, { awaits: 404 })],
    "its schema while there are objects": [
      create(boats, boat("a", { spec: { sails: 3 } })),
      withVersions(version({ schema: schema({ sails: { type: "string" } }) })),
      get(own),
    ],
    "a default while there are objects": [
      create(boats, boat("a", { spec: {} })),
      withVersions(version({ schema: schema({ colour: { type: "string", default: "red" } }) })),
      get(`${boats}/a`, { awaits: (answer) => answer.spec?.colour === "red" }),
    ],
    nothing: [merged({ spec: { scope: "Namespaced" } }), get(own)],
    "its labels": [merged({ metadata: { labels: { a: "b" } } }), get(own)],
    "its spec by an update without a version": update(own, definition()),
    "its schema to one that is none": withVersions(version({ schema: schema({ a: { type: "boat" } }) })),
  },
  established,
);

export const deletions: readonly Sequence[] = rows(
  "a definition that is deleted",
  {
    goes: [remove(own), gone, get(boats, { awaits: 404 })],
    "takes its objects with it": [create(boats, boat("a")), create(boats, boat("b")), remove(own), gone],
    "waits for objects with finalizers": [
      create(boats, boat("a", {}, { finalizers: ["example.test/a"] })),
      remove(own),
      get(`${boats}/a`, { awaits: (answer) => answer.metadata?.deletionTimestamp !== undefined }),
      get(own, { awaits: terminates }),
      patch(`${boats}/a`, mergePatch, { metadata: { finalizers: null } }),
    ],
    "takes no new objects": [
      create(boats, boat("a", {}, { finalizers: ["example.test/a"] })),
      remove(own),
      get(`${boats}/a`, { awaits: (answer) => answer.metadata?.deletionTimestamp !== undefined }),
      create(boats, boat("b")),
      patch(`${boats}/a`, mergePatch, { metadata: { finalizers: null } }),
    ],
    "waits for whoever else has a finalizer": [
      merged({ metadata: { finalizers: ["example.test/a"] } }),
      create(boats, boat("a")),
      remove(own),
      get(own, { awaits: ({ metadata }) => metadata.finalizers?.join() === "example.test/a" }),
      merged({ metadata: { finalizers: null } }),
      gone,
    ],
    "and made again has no objects": [
      create(boats, boat("a")),
      remove(own),
      gone,
      made(),
      until(own, "Established"),
      get(boats, { awaits: 200 }),
    ],
    "with the wrong uid stays": remove(own, { preconditions: { uid: "x" } }),
    "in dry run stays": [remove(`${own}?dryRun=All`), get(own)],
  },
  established,
);
