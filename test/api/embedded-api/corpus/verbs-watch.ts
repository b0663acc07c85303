import {
  configMap,
  create,
  each,
  get,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  secrets,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const labels = (app: string) => ({ metadata: { labels: { app } } });
const shop = (name: string) => create(maps, configMap(name, { data: { a: "1" } }, { labels: { app: "shop" } }));
const other = (name: string) => create(maps, configMap(name, {}, { labels: { app: "other" } }));
const watchMaps = (query: string, until?: number): Step => ({
  watch: `${maps}?watch=1${query}`,
  ...(until !== undefined && { until }),
});

/** A last object tells that all events before it have come. */
const last = shop("zz");

const fromNow: readonly Sequence[] = [
  {
    name: "a watch from now: what there is, then what happens",
    steps: [
      shop("a"),
      watchMaps("", 5),
      shop("b"),
      patch(`${maps}/a`, mergePatch, { data: { a: "2" } }),
      remove(`${maps}/b`),
      last,
    ],
  },
  {
    name: "a watch from version 0",
    steps: [
      shop("a"),
      get(`${maps}?resourceVersion=0`, { awaits: hasItems(1) }),
      watchMaps("&resourceVersion=0", 2),
      last,
    ],
  },
  {
    name: "a watch from a version",
    steps: [shop("a"), watchMaps("&resourceVersion={0.metadata.resourceVersion}", 2), shop("b"), last],
  },
  {
    name: "a watch from a version of before",
    steps: [
      shop("a"),
      shop("b"),
      remove(`${maps}/a`),
      watchMaps("&resourceVersion={0.metadata.resourceVersion}", 3),
      last,
    ],
  },
  {
    name: "a watch of changes that change nothing",
    steps: [
      shop("a"),
      watchMaps("&resourceVersion={0.metadata.resourceVersion}", 1),
      patch(`${maps}/a`, mergePatch, { data: { a: "1" } }),
      patch(`${maps}/a?dryRun=All`, mergePatch, { data: { a: "3" } }),
      remove(`${maps}/a?dryRun=All`),
      last,
    ],
  },
  {
    name: "a watch of one by its name",
    steps: [
      watchMaps("&fieldSelector=metadata.name%3Da", 3),
      shop("a"),
      shop("b"),
      patch(`${maps}/a`, mergePatch, labels("x")),
      remove(`${maps}/a`),
    ],
  },
  {
    name: "a watch of one object in its own path",
    steps: [shop("a"), { watch: `${maps}/a?watch=1&timeoutSeconds=1` }],
  },
  {
    name: "a watch over all namespaces",
    steps: [
      { watch: "/api/v1/configmaps?watch=1&labelSelector=all%3D{id}", until: 2 },
      create(maps, configMap("a", {}, { labels: { all: "{id}" } })),
      remove(`${maps}/a`),
    ],
  },
  {
    name: "a watch of the old path",
    steps: [{ watch: "/api/v1/watch/namespaces/{ns}/configmaps", until: 2 }, shop("a"), last],
  },
  {
    name: "a watch of the old path of one object",
    steps: [
      { watch: "/api/v1/watch/namespaces/{ns}/configmaps/a", until: 2 },
      shop("a"),
      shop("b"),
      remove(`${maps}/a`),
    ],
  },
  {
    name: "a watch of an object with a finalizer",
    steps: [
      watchMaps("", 3),
      create(maps, configMap("a", {}, { finalizers: ["example.test/x"] })),
      remove(`${maps}/a`),
      patch(`${maps}/a`, mergePatch, { metadata: { finalizers: null } }),
    ],
  },
  {
    name: "a watch of Pods that end gracefully",
    steps: [
      { watch: `${pods}?watch=1`, until: 4 },
      create(pods, pod("a", {}, { nodeName: "node-1", terminationGracePeriodSeconds: 5 })),
      remove(`${pods}/a`),
      remove(`${pods}/a?gracePeriodSeconds=2`),
      remove(`${pods}/a?gracePeriodSeconds=0`),
    ],
  },
  { name: "a watch of a deleted collection", steps: [shop("a"), shop("b"), watchMaps("", 4), remove(maps)] },
];

function hasItems(count: number) {
  return ({ items }: { items: readonly unknown[] }) => items.length === count;
}

const initial: readonly Sequence[] = [
  {
    name: "the first events end with a bookmark",
    steps: [
      shop("a"),
      shop("b"),
      watchMaps("&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan", 4),
      last,
    ],
  },
  {
    name: "the first events end without a bookmark for who takes none",
    steps: [shop("a"), watchMaps("&sendInitialEvents=true&resourceVersionMatch=NotOlderThan", 2), last],
  },
  {
    name: "no first events",
    steps: [
      shop("a"),
      watchMaps(
        "&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={0.metadata.resourceVersion}",
        1,
      ),
      last,
    ],
  },
  {
    name: "the first events of a selection",
    steps: [
      shop("a"),
      other("b"),
      watchMaps(
        "&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&labelSelector=app%3Dshop",
        3,
      ),
      last,
    ],
  },
  {
    name: "the first events of nothing",
    steps: [
      {
        watch: `${secrets}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
        until: 1,
      },
      shop("a"),
    ],
  },
  {
    name: "the first events since a version",
    steps: [
      shop("a"),
      watchMaps(
        "&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&resourceVersion={0.metadata.resourceVersion}",
        3,
      ),
      last,
    ],
  },
];

const moving: readonly Sequence[] = [
  {
    name: "objects that move into a selection and out of it",
    steps: [
      watchMaps("&labelSelector=app%3Dshop", 6),
      other("a"),
      patch(`${maps}/a`, mergePatch, labels("shop")),
      patch(`${maps}/a`, mergePatch, { data: { b: "1" } }),
      patch(`${maps}/a`, mergePatch, labels("other")),
      patch(`${maps}/a`, mergePatch, labels("shop")),
      remove(`${maps}/a`),
      last,
    ],
  },
  {
    name: "an object that leaves a selection has its last form there",
    steps: [
      shop("a"),
      watchMaps("&labelSelector=app%3Dshop&resourceVersion={0.metadata.resourceVersion}", 2),
      update(`${maps}/a`, configMap("a", { data: { new: "1" } }, { labels: { app: "other" } })),
      last,
    ],
  },
  {
    name: "what moved before the watch began",
    steps: [
      shop("a"),
      patch(`${maps}/a`, mergePatch, labels("other")),
      patch(`${maps}/a`, mergePatch, labels("shop")),
      other("b"),
      remove(`${maps}/b`),
      watchMaps("&labelSelector=app%3Dshop&resourceVersion={0.metadata.resourceVersion}", 3),
      last,
    ],
  },
  {
    name: "Pods that move by their fields",
    steps: [
      { watch: `${pods}?watch=1&fieldSelector=spec.nodeName%3Dnode-1`, until: 2 },
      create(pods, pod("a")),
      create(`${pods}/a/binding`, { target: { kind: "Node", name: "node-1" } }),
      remove(`${pods}/a?gracePeriodSeconds=0`),
    ],
  },
];

const forms: readonly Sequence[] = [
  ...each(
    "a watch as",
    [
      "application/json;stream=watch",
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1",
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
      "text/html",
      "application/yaml",
    ],
    (accept) => [shop("a"), { watch: `${maps}?watch=1&timeoutSeconds=1`, accept }],
  ),
];

const refusedQueries = [
  "resourceVersion=x",
  "resourceVersion=-1",
  "resourceVersion=999999999999",
  "sendInitialEvents=true",
  "sendInitialEvents=false",
  "sendInitialEvents=true&resourceVersionMatch=Exact",
  "sendInitialEvents=x&resourceVersionMatch=NotOlderThan",
  "resourceVersionMatch=NotOlderThan",
  "resourceVersionMatch=Exact",
  "resourceVersionMatch=Other&sendInitialEvents=true",
  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=x",
  "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&resourceVersion=x",
  "continue=x",
  "limit=1",
  "labelSelector=a%20b",
  "fieldSelector=data.a%3D1",
  "fieldSelector=metadata.name%3Da,metadata.name%3Db",
  "timeoutSeconds=x",
  "allowWatchBookmarks=x",
];

export const watchSequences: readonly Sequence[] = [
  ...fromNow,
  ...initial,
  ...moving,
  ...forms,
  ...each("a watch of", refusedQueries, (query) => [
    shop("a"),
    { watch: `${maps}?watch=1&${query.includes("timeout") ? "" : "timeoutSeconds=1&"}${query}` },
  ]),
  ...each("a watch asked for by", ["watch=true", "watch=1", "watch=", "watch=t", "watch=yes"], (query) => [
    { watch: `${secrets}?${query}&timeoutSeconds=1` },
  ]),
  { name: "a watch of a resource that is not there", steps: [{ watch: "/api/v1/namespaces/{ns}/nothings?watch=1" }] },
  {
    name: "a watch of what cannot be watched",
    steps: [{ watch: "/api/v1/componentstatuses?watch=1&timeoutSeconds=1" }],
  },
  { name: "a watch by nobody", steps: [{ watch: `${maps}?watch=1`, as: "nobody" }] },
  {
    name: "a watch in no namespace",
    steps: [{ watch: "/api/v1/namespaces/nowhere-{id}/configmaps?watch=1&timeoutSeconds=1" }],
  },
];
