import {
  configMap,
  create,
  deployment,
  deployments,
  each,
  get,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  rows,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const options = (more: Record<string, unknown>) => ({ apiVersion: "v1", kind: "DeleteOptions", ...more });
const kept = create(maps, configMap("a", { data: { a: "1" } }, { finalizers: ["example.test/x"] }));
const plain = create(maps, configMap("a", { data: { a: "1" } }, { labels: { app: "shop" } }));

const bodies: Readonly<Record<string, unknown>> = {
  nothing: "",
  "an empty object": {},
  "no kind": { propagationPolicy: "Background" },
  "another kind": { apiVersion: "v1", kind: "ConfigMap" },
  "another version": { apiVersion: "v2", kind: "DeleteOptions" },
  "the group of a resource": { apiVersion: "apps/v1", kind: "DeleteOptions" },
  "the group of meta": { apiVersion: "meta.k8s.io/v1", kind: "DeleteOptions" },
  "no JSON": "{",
  "a list": [],
  "an unknown field": options({ unknown: 1 }),
  "its uid": options({ preconditions: { uid: "{0.metadata.uid}" } }),
  "another uid": options({ preconditions: { uid: "5d1cf4e5-3f3c-4d2b-9f3a-1a2b3c4d5e6f" } }),
  "its version": options({ preconditions: { resourceVersion: "{0.metadata.resourceVersion}" } }),
  "another version to fulfil": options({ preconditions: { resourceVersion: "1" } }),
  "a version that is none": options({ preconditions: { resourceVersion: "x" } }),
  "uid and version": options({
    preconditions: { uid: "{0.metadata.uid}", resourceVersion: "{0.metadata.resourceVersion}" },
  }),
  "conditions that are empty": options({ preconditions: {} }),
  "a dry run": options({ dryRun: ["All"] }),
  "a dry run that is none": options({ dryRun: ["x"] }),
  "dry runs": options({ dryRun: ["All", "All"] }),
  "in the background": options({ propagationPolicy: "Background" }),
  "in the foreground": options({ propagationPolicy: "Foreground" }),
  "leaving orphans": options({ propagationPolicy: "Orphan" }),
  "another policy": options({ propagationPolicy: "Other" }),
  "orphans of old": options({ orphanDependents: true }),
  "no orphans of old": options({ orphanDependents: false }),
  "orphans in two ways": options({ orphanDependents: true, propagationPolicy: "Orphan" }),
  "no time": options({ gracePeriodSeconds: 0 }),
  "some time": options({ gracePeriodSeconds: 30 }),
  "less than no time": options({ gracePeriodSeconds: -1 }),
  "time in a text": options({ gracePeriodSeconds: "5" }),
  "what is unsafe": options({ ignoreStoreReadErrorWithClusterBreakingPotential: true }),
};

const queries = [
  "propagationPolicy=Foreground",
  "propagationPolicy=Background",
  "propagationPolicy=Orphan",
  "propagationPolicy=Other",
  "propagationPolicy=",
  "gracePeriodSeconds=0",
  "gracePeriodSeconds=5",
  "gracePeriodSeconds=-1",
  "gracePeriodSeconds=x",
  "dryRun=All",
  "dryRun=x",
  "orphanDependents=true",
  "orphanDependents=false",
  "orphanDependents=true&propagationPolicy=Background",
  "preconditions.uid=x",
  "pretty=true",
  "unknown=1",
];

const after: readonly Step[] = [get(`${maps}/a`)];

export const deletionSequences: readonly Sequence[] = [
  ...Object.entries(bodies).map(([what, body]) => ({
    name: `deleted with ${what}`,
    steps: [plain, remove(`${maps}/a`, body), ...after],
  })),
  ...each("deleted with", queries, (query) => [plain, remove(`${maps}/a?${query}`), ...after]),
  ...each("deleted with a finalizer and", queries, (query) => [kept, remove(`${maps}/a?${query}`), ...after]),
  ...each(
    "a Pod deleted with",
    queries.filter((query) => query.startsWith("grace")),
    (query) => [create(pods, pod("a", {}, { nodeName: "node-1" })), remove(`${pods}/a?${query}`), get(`${pods}/a`)],
  ),
  ...each(
    "a Deployment deleted with",
    queries.filter((query) => /prop|orph/u.test(query)),
    (query) => [create(deployments, deployment("a")), remove(`${deployments}/a?${query}`), get(`${deployments}/a`)],
  ),
  ...rows("a delete", {
    "of what is not there": remove(`${maps}/z`),
    "of what is not there, as a dry run": remove(`${maps}/z?dryRun=All`),
    twice: [plain, remove(`${maps}/a`), remove(`${maps}/a`)],
    "twice with a finalizer": [kept, remove(`${maps}/a`), remove(`${maps}/a`), get(`${maps}/a`)],
    "and then without its finalizer": [
      kept,
      remove(`${maps}/a`),
      patch(`${maps}/a`, mergePatch, { metadata: { finalizers: [] } }),
      get(`${maps}/a`),
    ],
    "first in the background, then in the foreground": [
      kept,
      remove(`${maps}/a`),
      remove(`${maps}/a?propagationPolicy=Foreground`),
      remove(`${maps}/a?propagationPolicy=Orphan`),
      remove(`${maps}/a?propagationPolicy=Background`),
    ],
    "of a Pod twice": [
      create(pods, pod("a", {}, { nodeName: "node-1", terminationGracePeriodSeconds: 20 })),
      remove(`${pods}/a`),
      remove(`${pods}/a`),
      remove(`${pods}/a?gracePeriodSeconds=30`),
      remove(`${pods}/a?gracePeriodSeconds=5`),
      get(`${pods}/a`),
      remove(`${pods}/a?gracePeriodSeconds=0`),
      get(`${pods}/a`),
    ],
    "of a Pod on no node": [create(pods, pod("a")), remove(`${pods}/a`), get(`${pods}/a`)],
    "of a Pod that has ended": [
      create(pods, pod("a", {}, { nodeName: "node-1" })),
      patch(`${pods}/a/status`, mergePatch, { status: { phase: "Succeeded" } }),
      remove(`${pods}/a`),
      get(`${pods}/a`),
    ],
    "of a Pod with a finalizer": [
      create(pods, pod("a", { finalizers: ["example.test/x"] }, { nodeName: "node-1" })),
      remove(`${pods}/a`),
      remove(`${pods}/a?gracePeriodSeconds=0`),
      get(`${pods}/a`),
      patch(`${pods}/a`, mergePatch, { metadata: { finalizers: null } }),
      get(`${pods}/a`),
    ],
    "of a Pod as a dry run": [
      create(pods, pod("a", {}, { nodeName: "node-1" })),
      remove(`${pods}/a?dryRun=All`),
      get(`${pods}/a`),
    ],
    "with text": [plain, { send: `DELETE ${maps}/a`, body: "x", type: "text/plain" }],
    "with YAML": [plain, { send: `DELETE ${maps}/a`, body: "propagationPolicy: Orphan\n", type: "application/yaml" }],
    "of a status": [create(pods, pod("a")), remove(`${pods}/a/status`)],
    "in no namespace": remove("/api/v1/namespaces/nowhere-{id}/configmaps/a"),
    "with a body and a query": [
      plain,
      remove(`${maps}/a?propagationPolicy=Foreground`, options({ propagationPolicy: "Background" })),
    ],
  }),
];

const three = ["a", "b", "c"].map((name, index) =>
  create(
    maps,
    configMap(name, {}, { labels: { n: String(index) }, ...(index === 1 && { finalizers: ["example.test/x"] }) }),
  ),
);

const collectionQueries = [
  "",
  "?labelSelector=n%3D0",
  "?labelSelector=n%20in%20(0,2)",
  "?labelSelector=n%3Dx",
  "?labelSelector=a%20b",
  "?fieldSelector=metadata.name%3Db",
  "?fieldSelector=metadata.name!%3Db",
  "?fieldSelector=data.x%3D1",
  "?dryRun=All",
  "?dryRun=x",
  "?limit=1",
  "?limit=2",
  "?propagationPolicy=Foreground",
  "?propagationPolicy=x",
  "?gracePeriodSeconds=0",
  "?gracePeriodSeconds=-5",
  "?resourceVersion=x",
  "?resourceVersionMatch=Exact",
  "?continue=x",
  "?timeoutSeconds=x",
  "?timeoutSeconds=5",
];

export const collectionSequences: readonly Sequence[] = [
  ...each("a collection deleted with", collectionQueries, (query) => [...three, remove(`${maps}${query}`), get(maps)]),
  ...rows("a collection deleted", {
    "of nothing": remove(maps),
    "over all namespaces": remove("/api/v1/configmaps?labelSelector=never%3Dthere"),
    "with its options in the body": [...three, remove(maps, options({ propagationPolicy: "Orphan" })), get(maps)],
    "with conditions": [...three, remove(maps, options({ preconditions: { uid: "x" } })), get(maps)],
    "with options that are none": [...three, remove(maps, options({ propagationPolicy: "x" })), get(maps)],
    "with a body of another kind": [...three, remove(maps, configMap("a")), get(maps)],
    "with text": [...three, { send: `DELETE ${maps}`, body: "x", type: "text/plain" }, get(maps)],
    "in pages": [...three, get(`${maps}?limit=1`), remove(`${maps}?continue={3.metadata.continue}`), get(maps)],
    "of namespaces": remove("/api/v1/namespaces?labelSelector=never%3Dthere"),
    "of Pods": [create(pods, pod("a")), create(pods, pod("b", {}, { nodeName: "node-1" })), remove(pods), get(pods)],
  }),
];
