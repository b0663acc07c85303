import { configMap, create, get, maps, patch, rows, update } from "../builders.ts";
import type { Request, Sequence } from "../sequence.ts";
import { kubectlTable, table } from "../table-builders.ts";

const three = ["a", "b", "c"].map((name) => create(maps, configMap(name, { data: { n: name } })));
const metadata = (version: string, list = "") =>
  `application/json;as=PartialObjectMetadata${list};v=${version};g=meta.k8s.io`;
const tableOf = (more: string) => `application/json;as=Table;${more}`;
const asked = (accept: string, path = `${maps}/a`): Request => get(path, { accept });

const wishes: Readonly<Record<string, string>> = {
  "as kubectl asks": kubectlTable,
  v1beta1: tableOf("v=v1beta1;g=meta.k8s.io"),
  "a version that is not there": tableOf("v=v2;g=meta.k8s.io"),
  "a version that is not there, or as it is": `${tableOf("v=v2;g=meta.k8s.io")},application/json`,
  "another group": tableOf("v=v1;g=example.test"),
  "no group": tableOf("v=v1"),
  "nothing but the kind": "application/json;as=Table",
  "no kind": "application/json;v=v1;g=meta.k8s.io",
  "a kind that is not there": "application/json;as=Chair;v=v1;g=meta.k8s.io",
  "in any order, with spaces": "application/json; g=meta.k8s.io; as=Table; v=v1",
  "of any type": "*/*;as=Table;v=v1;g=meta.k8s.io",
  "plain text": "text/plain",
  "plain text, or anything": "text/plain, */*;q=0.1",
  anything: "*/*",
  "anything of applications": "application/*",
  "a word": "json",
  "nothing at all": "",
  "only commas": ",,",
  "HTML, as browsers do": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  XML: "application/xml",
  "JSON in capitals": "APPLICATION/JSON",
  "with a charset": "application/json; charset=utf-8",
  "as a stream": "application/json;stream=watch",
  "as another stream": "application/json;stream=other",
  "of a server version": "application/json;sv=v1",
  pretty: "application/json;pretty=1",
  "not pretty": "application/json;pretty=0",
  exported: "application/json;export=1",
  "with a quality of nothing": "application/json;q=0",
  "the second is better": `application/json;q=0.5,${table};q=0.9`,
  "the second is worse": `application/json;q=0.9,${table};q=0.5`,
  "as good as each other": `application/json,${table}`,
  metadata: metadata("v1"),
  "metadata of v1beta1": metadata("v1beta1"),
  "metadata of a version that is not there": metadata("v2"),
  "a list of metadata": metadata("v1", "List"),
};

export const getForms: readonly Sequence[] = rows(
  "one object as",
  Object.fromEntries(Object.entries(wishes).map(([name, accept]) => [name, asked(accept)])),
  three,
);

export const listForms: readonly Sequence[] = rows(
  "a list as",
  Object.fromEntries(Object.entries(wishes).map(([name, accept]) => [name, asked(accept, maps)])),
  three,
);

export const refusalForms: readonly Sequence[] = rows(
  "nothing there, as",
  Object.fromEntries(Object.entries(wishes).map(([name, accept]) => [name, asked(accept, `${maps}/nothing`)])),
);

const included = ["None", "Metadata", "Object", "", "none", "All"];
export const includedObjects: readonly Sequence[] = rows(
  "includeObject",
  Object.fromEntries(
    included.map((what) => [
      what,
      [
        asked(table, `${maps}/a?includeObject=${what}`),
        asked(table, `${maps}?includeObject=${what}`),
        asked(tableOf("v=v1beta1;g=meta.k8s.io"), `${maps}?includeObject=${what}`),
        asked("application/json", `${maps}/a?includeObject=${what}`),
        asked(table, `${maps}/nothing?includeObject=${what}`),
      ],
    ]),
  ),
  three,
);

export const listTables: readonly Sequence[] = rows(
  "a table",
  {
    "of nothing": asked(table, "/api/v1/namespaces/{ns}/pods"),
    "of nothing, of a kind without columns": asked(table, "/api/v1/namespaces/{ns}/limitranges"),
    "page by page": [asked(table, `${maps}?limit=2`), asked(table, `${maps}?limit=2&continue={3.metadata.continue}`)],
    "of what is selected": asked(table, `${maps}?fieldSelector=metadata.name%3Db`),
    "of one page of what is selected": asked(table, `${maps}?labelSelector=!x&limit=1`),
    "of metadata, page by page": asked(metadata("v1", "List"), `${maps}?limit=1`),
    "of a subresource": asked(table, "/api/v1/namespaces/{ns}/status"),
    "with a bad selector": asked(table, `${maps}?labelSelector=%3D`),
    "pretty, by the query": asked(table, `${maps}/a?pretty=true`),
    "of a resource that is not there": asked(table, "/api/v1/namespaces/{ns}/chairs"),
  },
  three,
);

const later = configMap("d", { data: { x: "1", y: "2" } });
export const writtenTables: readonly Sequence[] = rows(
  "what is written, as a table",
  {
    create: { ...create(maps, later), accept: table },
    "create, refused": { ...create(maps, configMap("a")), accept: table },
    "create, invalid": { ...create(maps, configMap("A b")), accept: kubectlTable },
    "create, with metadata": { ...create(maps, later), accept: metadata("v1") },
    "create, with nothing else": { ...create(maps, later, "?includeObject=None"), accept: table },
    "create, with the wrong wish": { ...create(maps, later, "?includeObject=Some"), accept: table },
    dry: { ...create(maps, later, "?dryRun=All"), accept: table },
    update: { ...update(`${maps}/a`, configMap("a", { data: { n: "1", m: "2" } })), accept: table },
    patch: { ...patch(`${maps}/a`, "application/merge-patch+json", { data: { m: "2" } }), accept: table },
    apply: {
      ...patch(`${maps}/e?fieldManager=ann`, "application/apply-patch+yaml", configMap("e", { data: { m: "2" } })),
      accept: table,
    },
    delete: { send: `DELETE ${maps}/a`, accept: table },
    "delete all": { send: `DELETE ${maps}`, accept: table },
    "a namespace, deleted": { send: "DELETE /api/v1/namespaces/{ns}", accept: table },
    "a review": {
      send: "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: { spec: { nonResourceAttributes: { path: "/x", verb: "get" } } },
      accept: table,
    },
    "a review, as kubectl asks": {
      send: "POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
      body: { spec: { nonResourceAttributes: { path: "/x", verb: "get" } } },
      accept: kubectlTable,
    },
  },
  three,
);

const begun = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const changes = [create(maps, later), { send: `DELETE ${maps}/d` }];
export const watchTables: readonly Sequence[] = rows(
  "a watch as",
  {
    tables: [{ watch: `${maps}?watch=1`, accept: table, until: 2 }, ...changes],
    "tables of v1beta1": [
      { watch: `${maps}?watch=1`, accept: tableOf("v=v1beta1;g=meta.k8s.io"), until: 2 },
      ...changes,
    ],
    "tables, from the beginning": { watch: `${maps}?watch=1&${begun}`, accept: table, until: 4 },
    "tables without objects": { watch: `${maps}?watch=1&${begun}&includeObject=None`, accept: table, until: 4 },
    "tables with objects": { watch: `${maps}?watch=1&${begun}&includeObject=Object`, accept: table, until: 4 },
    "tables with what is not there": { watch: `${maps}?watch=1&includeObject=Some`, accept: table },
    "tables that repeat their columns": {
      watch: `/apis/apiregistration.k8s.io/v1/apiservices?watch=1&${begun}&fieldSelector=metadata.name%3Dnothing`,
      accept: table,
      until: 1,
    },
    metadata: { watch: `${maps}?watch=1&${begun}`, accept: metadata("v1"), until: 4 },
    YAML: { watch: `${maps}?watch=1&timeoutSeconds=1`, accept: "application/yaml" },
    "plain text": { watch: `${maps}?watch=1&timeoutSeconds=1`, accept: "text/plain" },
  },
  three,
);
