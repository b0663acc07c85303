import { configMap, create, each, get, maps, pod, pods, rows, secrets } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

/** Five maps, of which labels tell some apart. */
const five = ["a", "b", "c", "d", "e"].map((name, index) =>
  create(maps, configMap(name, { data: { n: String(index) } }, { labels: labelsOf(index) })),
);

function labelsOf(index: number): Record<string, string> {
  const tier = index % 2 === 0 ? "front" : "back";
  return { tier, ...(index < 3 && { app: "shop" }), ...(index === 4 && { "example.test/size": "10" }) };
}

const labelSelectors = [
  "app=shop",
  "app==shop",
  "app!=shop",
  "app",
  "!app",
  "tier in (front)",
  "tier in (front,back)",
  "tier notin (front)",
  "tier notin (front,back),app",
  "app=shop,tier=back",
  "example.test/size>5",
  "example.test/size<5",
  "example.test/size>x",
  "app=",
  "app in ()",
  "app in (shop,)",
  "",
  " app = shop ",
  "app=shop=x",
  "app in shop",
  "a b",
  "-app=x",
  "app=-x",
  "app=x y",
  "!",
  "=",
  ",",
  "app,",
  ",app",
  "app in (shop",
  "app=shop,app=other",
  `${"a".repeat(64)}=x`,
  `app=${"a".repeat(64)}`,
  "/app=x",
  "a/b/c=x",
  "app>=1",
  "app>1,app<3",
  "UPPER=x",
  "!app=x",
  "example.test/size>5,example.test/size<50",
];

const fieldSelectors = [
  "metadata.name=a",
  "metadata.name==a",
  "metadata.name!=a",
  "metadata.name=a,metadata.name=b",
  "metadata.namespace=default",
  "metadata.namespace!=default",
  "metadata.name=a,metadata.namespace={ns}",
  "metadata.uid=a",
  "data.n=1",
  "metadata.name",
  "metadata.name>a",
  "=a",
  "metadata.name=",
  "metadata.name=a\\,b",
  "metadata.name=a\\b",
  "metadata.name=a/b",
  "metadata.name=a=b",
  "metadata.labels=a",
  "",
  ",",
];

const limits = [
  "limit=2",
  "limit=5",
  "limit=6",
  "limit=0",
  "limit=-1",
  "limit=x",
  "limit=1.5",
  "limit=99999999999999999999",
];

const versions = [
  "resourceVersion=0",
  "resourceVersion=",
  "resourceVersion=x",
  "resourceVersion=-1",
  "resourceVersion={0.metadata.resourceVersion}",
  "resourceVersion={0.metadata.resourceVersion}&resourceVersionMatch=NotOlderThan",
  "resourceVersion={1.metadata.resourceVersion}&resourceVersionMatch=Exact",
  "resourceVersion={1.metadata.resourceVersion}&resourceVersionMatch=Exact&limit=1",
  "resourceVersion=0&resourceVersionMatch=Exact",
  "resourceVersion=0&resourceVersionMatch=NotOlderThan",
  "resourceVersion=0&limit=2",
  "resourceVersionMatch=Exact",
  "resourceVersionMatch=Other",
  "resourceVersionMatch=",
  "resourceVersion=1&resourceVersionMatch=Other",
  "resourceVersion=0&resourceVersionMatch=&limit=1",
  "sendInitialEvents=true",
  "sendInitialEvents=false",
  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
  "resourceVersion=1&resourceVersionMatch=Exact&continue=x",
  "continue=x",
  "continue=",
  "continue=%20",
  "continue=eyJ2IjoidjIifQ",
  "timeoutSeconds=1",
  "timeoutSeconds=x",
  "allowWatchBookmarks=true",
  "watch=false",
  "watch=0",
  "pretty=true",
  "pretty=false",
  "unknown=1",
  "labelSelector=app&labelSelector=tier%3Dback",
  "limit=1&limit=2",
  "resourceVersion=99999999999999999999",
];

const twoPages = [
  get(`${maps}?limit=2`),
  get(`${maps}?limit=2&continue={5.metadata.continue}`),
  get(`${maps}?limit=2&continue={6.metadata.continue}`),
];

export const listSequences: readonly Sequence[] = [
  ...each("a list by labels", labelSelectors, (text) => [
    ...five,
    get(`${maps}?labelSelector=${encodeURIComponent(text)}`),
  ]),
  ...each("a list by fields", fieldSelectors, (text) => [
    ...five,
    get(`${maps}?fieldSelector=${encodeURIComponent(text).replaceAll("%7Bns%7D", "{ns}")}`),
  ]),
  ...each("a list", [...limits, ...versions], (query) => [...five, get(`${maps}?${query}`)]),
  { name: "a list that may be old", steps: [...five, get(`${maps}?resourceVersion=1`)] },
  { name: "a list in pages", steps: [...five, ...twoPages] },
  {
    name: "a list in pages goes on as it began, whatever happens meanwhile",
    steps: [
      ...five,
      get(`${maps}?limit=2`),
      create(maps, configMap("c0")),
      { send: `DELETE ${maps}/d` },
      get(`${maps}?limit=2&continue={5.metadata.continue}`),
      get(`${maps}?continue={5.metadata.continue}`),
      get(maps),
    ],
  },
  {
    name: "a list in pages by labels",
    steps: [
      ...five,
      get(`${maps}?limit=1&labelSelector=tier%3Dfront`),
      get(`${maps}?limit=1&labelSelector=tier%3Dfront&continue={5.metadata.continue}`),
      get(`${maps}?limit=1&labelSelector=tier%3Dback&continue={6.metadata.continue}`),
    ],
  },
  {
    name: "a list that goes on must not name a version",
    steps: [
      ...five,
      get(`${maps}?limit=2`),
      get(`${maps}?limit=2&resourceVersion=1&continue={5.metadata.continue}`),
      get(`${maps}?limit=2&resourceVersion=0&continue={5.metadata.continue}`),
    ],
  },
  {
    name: "a token of one resource is none of another",
    steps: [...five, get(`${maps}?limit=2`), get(`${secrets}?continue={5.metadata.continue}`)],
  },
  { name: "a list of nothing", steps: [get(maps), get(secrets), get(`${secrets}?limit=3`)] },
  { name: "a list in a namespace that is not there", steps: [get("/api/v1/namespaces/nowhere-{id}/configmaps")] },
  {
    name: "a list over all namespaces",
    steps: [...five, get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns}")],
  },
  {
    name: "a list over all namespaces by name and namespace",
    steps: [...five, get("/api/v1/configmaps?fieldSelector=metadata.namespace%3D{ns},metadata.name%3Db")],
  },
];

const podFields = [
  "spec.nodeName=node-1",
  "spec.nodeName=",
  "spec.nodeName!=node-1",
  "status.phase=Pending",
  "status.phase=Running",
  "spec.restartPolicy=Always",
  "spec.schedulerName=default-scheduler",
  "spec.serviceAccountName=default",
  "spec.hostNetwork=true",
  "spec.hostNetwork=false",
  "status.podIP=",
  "status.podIPs=",
  "status.nominatedNodeName=",
  "spec.unknown=x",
  "status.phase=Pending,spec.nodeName=",
];

export const selectionSequences: readonly Sequence[] = [
  ...each("Pods by fields", podFields, (text) => [
    create(pods, pod("a")),
    create(pods, pod("b", {}, { nodeName: "node-1", restartPolicy: "Never" })),
    get(`${pods}?fieldSelector=${encodeURIComponent(text)}`),
  ]),
  ...each("Secrets by fields", ["type=Opaque", "type!=Opaque", "type=example.test/x", "data=x"], (text) => [
    create(secrets, { metadata: { name: "a" } }),
    create(secrets, { metadata: { name: "b" }, type: "example.test/x" }),
    get(`${secrets}?fieldSelector=${encodeURIComponent(text)}`),
  ]),
  ...each(
    "Namespaces by fields",
    [
      "metadata.name=default",
      "status.phase=Active,metadata.name=default",
      "spec.x=y",
      "name=default",
      "metadata.namespace=x",
    ],
    (text) => [
      get(
        `/api/v1/namespaces?fieldSelector=${encodeURIComponent(text)}&labelSelector=kubernetes.io/metadata.name%3Ddefault`,
      ),
    ],
  ),
];

const gets = {
  "one that is there": get(`${maps}/a`),
  "one that is not": get(`${maps}/z`),
  "one in no namespace": get("/api/v1/namespaces/nowhere-{id}/configmaps/a"),
  "of a version": get(`${maps}/a?resourceVersion={0.metadata.resourceVersion}`),
  "of version 0": get(`${maps}/a?resourceVersion=0`),
  "of a version that is none": get(`${maps}/a?resourceVersion=x`),
  "with a name in capitals": get(`${maps}/A`),
  "with a name in percents": get(`${maps}/%61`),
  "with a name that is no name": get(`${maps}/a%2Fb`),
  "with a percent in its name": get(`${maps}/a%25b`),
  "with two dots for a name": get(`${maps}/..`),
  "with a slash after it": get(`${maps}/a/`),
  "with two slashes": get(`/api/v1/namespaces/{ns}//configmaps/a`),
  "a part that there is not": get(`${maps}/a/status`),
  "a part of a part": get(`${pods}/a/status/more`),
  pretty: get(`${maps}/a?pretty=true`),
  "as YAML": get(`${maps}/a`, { accept: "application/yaml" }),
  "as anything": get(`${maps}/a`, { accept: "*/*" }),
  "as any application": get(`${maps}/a`, { accept: "application/*" }),
  "as text": get(`${maps}/a`, { accept: "text/html" }),
  "as text or JSON": get(`${maps}/a`, { accept: "text/html, application/json;q=0.5" }),
  "as metadata": get(`${maps}/a`, { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" }),
  "as a list of metadata": get(`${maps}/a`, {
    accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
  }),
  "as metadata of another version": get(`${maps}/a`, {
    accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v2",
  }),
  "as something else": get(`${maps}/a`, { accept: "application/json;as=Other;g=meta.k8s.io;v=v1" }),
  "as something else, or as it is": get(`${maps}/a`, {
    accept: "application/json;as=Other;g=meta.k8s.io;v=v1, application/json",
  }),
  "as a stream": get(`${maps}/a`, { accept: "application/json;stream=watch" }),
  "with no wish": get(`${maps}/a`, { headers: { accept: "" } }),
  "with a wish that is none": get(`${maps}/a`, { accept: ";;;" }),
  "with a body": { send: `GET ${maps}/a`, body: "what" },
  "the head of it": { send: `HEAD ${maps}/a` },
  "the head of nothing": { send: `HEAD ${maps}/z` },
};

const listForms = {
  "as metadata": get(maps, { accept: "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1" }),
  "as metadata, of one": get(maps, { accept: "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1" }),
  "as YAML": get(maps, { accept: "application/yaml" }),
  "of the head": { send: `HEAD ${maps}` },
  pretty: get(`${maps}?pretty=1`),
  "as text": get(maps, { accept: "text/plain" }),
};

export const getSequences: readonly Sequence[] = [
  ...rows("a get", gets, [create(maps, configMap("a", { data: { a: "1" } }))]),
  ...rows("a list", listForms, five),
  ...each("a status", ["GET", "PUT", "PATCH", "DELETE", "POST", "HEAD"], (method) => [
    create(pods, pod("a")),
    { send: `${method} ${pods}/a/status`, ...(method !== "GET" && method !== "HEAD" && { body: pod("a") }) },
  ]),
];
