import { create, type Fields, get } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";
import { table } from "../table-builders.ts";

const group = "tables.example.test";
const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

/** How each column is found, and what is in the spec of the object. */
interface Columns {
  readonly [what: string]: { readonly path: string; readonly type?: string; readonly more?: Fields };
}

const columns: Columns = {
  "a text": { path: ".spec.text" },
  "a text that is not there": { path: ".spec.nothing" },
  "a text that is null": { path: ".spec.empty" },
  "a number as text": { path: ".spec.whole" },
  "a fraction as text": { path: ".spec.fraction" },
  "a large fraction as text": { path: ".spec.large" },
  "a small fraction as text": { path: ".spec.small" },
  "a flag as text": { path: ".spec.flag" },
  "a list as text": { path: ".spec.list" },
  "an object as text": { path: ".spec.object" },
  "HTML as text": { path: ".spec.html" },
  "a whole number": { path: ".spec.whole", type: "integer" },
  "a fraction as a whole number": { path: ".spec.fraction", type: "integer" },
  "a text as a whole number": { path: ".spec.text", type: "integer" },
  "a number": { path: ".spec.fraction", type: "number" },
  "a whole one as a number": { path: ".spec.whole", type: "number" },
  "a text as a number": { path: ".spec.text", type: "number" },
  "a flag": { path: ".spec.flag", type: "boolean" },
  "a text as a flag": { path: ".spec.text", type: "boolean" },
  "a date": { path: ".spec.date", type: "date" },
  "a date with an offset": { path: ".spec.offset", type: "date" },
  "a text as a date": { path: ".spec.text", type: "date" },
  "an empty text as a date": { path: ".spec.blank", type: "date" },
  "a number as a date": { path: ".spec.whole", type: "date" },
  "null as a whole number": { path: ".spec.empty", type: "integer" },
  "its creation": { path: ".metadata.creationTimestamp", type: "date" },
  "its name": { path: ".metadata.name" },
  "its kind": { path: ".kind" },
  "a label with dots": { path: ".metadata.labels.example\\.test/a" },
  "by a key": { path: ".spec['text']" },
  "by keys": { path: ".spec['text','whole']" },
  "the first": { path: ".spec.list[0]" },
  "the last": { path: ".spec.list[-1]" },
  "one too far": { path: ".spec.list[9]" },
  some: { path: ".spec.list[1:3]" },
  "from the second on": { path: ".spec.list[1:]" },
  "every other": { path: ".spec.list[::2]" },
  all: { path: ".spec.list[*]" },
  "one of what is no list": { path: ".spec.text[0]" },
  "that of one type": { path: '.spec.conditions[?(@.type=="Ready")].status' },
  "that of one type, in other quotes": { path: ".spec.conditions[?(@.type=='Ready')].status" },
  "that of no type": { path: '.spec.conditions[?(@.type=="Other")].status' },
  "that of another type": { path: '.spec.conditions[?(@.type!="Ready")].status' },
  "those above": { path: ".spec.conditions[?(@.weight>1)].type" },
  "those at least": { path: ".spec.conditions[?(@.weight>=1)].type" },
  "those below": { path: ".spec.conditions[?(@.weight<2)].type" },
  "those that have one": { path: ".spec.conditions[?(@.message)].type" },
  "those that compare wrongly": { path: '.spec.conditions[?(@.weight=="1")].type' },
  anywhere: { path: "..status" },
  "the whole object": { path: ".spec.object", type: "integer" },
  "with a format": { path: ".spec.whole", type: "integer", more: { format: "int64" } },
  "with a description": { path: ".spec.text", more: { description: "what it is" } },
  "in wide output": { path: ".spec.text", more: { priority: 1 } },
  "a quoted text": { path: '. "so"' },
};

const spec = {
  text: "a text",
  blank: "",
  empty: null,
  whole: 12345678901,
  fraction: 2.5,
  large: 2500000.5,
  small: 0.00001234,
  flag: true,
  list: ["p", "q", "r", "s"],
  object: { y: 1, x: [true, null, "<&>"] },
  html: "<&>",
  date: "2020-05-01T10:00:00Z",
  offset: "2020-05-01T10:00:00+02:00",
  conditions: [
    { type: "Ready", status: "True", weight: 1 },
    { type: "Late", status: "False", weight: 2, message: "x" },
  ],
};

const versionsOf = (printed: readonly object[]) => [
  { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: anything }, additionalPrinterColumns: printed },
];

const definition = (plural: string, versions: readonly object[]): Step => ({
  send: "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
  body: {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, kind: `Kind${plural}` }, versions },
  },
});

const printed = Object.entries(columns).map(([name, { path, type = "string", more = {} }]) => ({
  name,
  type,
  jsonPath: path,
  ...more,
}));

const bare = { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: anything } };
const scale = { specReplicasPath: ".spec.count", statusReplicasPath: ".status.count" };
const broken = [
  { name: "A", type: "string", jsonPath: ".spec.text" },
  { name: "B", type: "string", jsonPath: ".spec[" },
  { name: "C", type: "string", jsonPath: ".spec.whole" },
];

/** Served once they are established, which takes the real server a moment. */
const served = (plural: string): Step => ({ send: `GET /apis/${group}/v1/${plural}`, awaits: 200 });

export const setup: readonly Step[] = [
  definition("manies", versionsOf(printed)),
  definition("bares", [
    { ...bare, subresources: { scale, status: {} } },
    {
      ...bare,
      name: "v2",
      storage: false,
      additionalPrinterColumns: [{ name: "T", type: "string", jsonPath: ".spec.text" }],
    },
  ]),
  definition("brokens", versionsOf(broken)),
  ...["manies", "bares", "brokens"].map(served),
];

const custom = (plural: string, version = "v1") => `/apis/${group}/${version}/namespaces/{ns}/${plural}`;
const object = (plural: string, more: Fields = {}) => ({
  apiVersion: `${group}/v1`,
  kind: `Kind${plural}`,
  metadata: { name: "a", labels: { "example.test/a": "labelled" } },
  spec: { ...spec, count: 4, ...more },
});
const asTable = (path: string) => get(path, { accept: table });
const begun = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

export const customTables: readonly Sequence[] = [
  {
    name: "columns of a definition",
    steps: [create(custom("manies"), object("manies")), asTable(`${custom("manies")}/a`), asTable(custom("manies"))],
  },
  {
    name: "columns of a definition, of an object that has nothing",
    steps: [
      create(custom("manies"), { ...object("manies"), spec: {} }),
      asTable(`${custom("manies")}/a?includeObject=None`),
    ],
  },
  {
    name: "no columns of a definition",
    steps: [create(custom("bares"), object("bares")), asTable(custom("bares"))],
  },
  {
    name: "columns of another version",
    steps: [
      create(custom("bares"), object("bares")),
      asTable(`${custom("bares", "v2")}/a`),
      asTable(`${custom("bares", "v2")}?includeObject=Object`),
    ],
  },
  {
    name: "columns up to one that cannot be read",
    steps: [create(custom("brokens"), object("brokens")), asTable(custom("brokens"))],
  },
  { name: "an empty table of a definition", steps: [asTable(custom("manies"))] },
  {
    name: "the scale of a custom resource as a row",
    steps: [create(custom("bares"), object("bares")), asTable(`${custom("bares")}/a/scale`)],
  },
  {
    name: "a custom resource, written as a table",
    steps: [{ ...create(custom("manies"), object("manies")), accept: table }],
  },
  {
    name: "a watch of custom resources as tables",
    steps: [
      create(custom("manies"), object("manies")),
      { watch: `${custom("manies")}?watch=1&${begun}`, accept: table, until: 3 },
      { send: `DELETE ${custom("manies")}/a` },
    ],
  },
  ...[
    "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
    "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
    "application/yaml",
    "text/plain",
    "application/*",
    "application/json;as=Chair;v=v1;g=meta.k8s.io",
  ].map((accept) => ({
    name: `custom resources as ${accept}`,
    steps: [
      create(custom("bares"), { ...object("bares"), spec: { text: "x" } }),
      get(`${custom("bares")}/a`, { accept }),
      get(custom("bares"), { accept }),
      get(`${custom("bares")}/b`, { accept }),
    ],
  })),
];
