import { soon } from "../admission-builders.ts";
import { create, type Fields, mergePatch, patch, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const nodes = "/api/v1/nodes";
const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
const runtimes = "/apis/node.k8s.io/v1/runtimeclasses";

const priorityClass = (name: string, more: Fields) =>
  create(priorities, { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, ...more });
const ofClass = (name: string, more: Fields = {}) => pod("a", {}, { priorityClassName: name, ...more });

export const prioritySequences: readonly Sequence[] = [
  ...rows("the priority of a Pod", {
    "is that of its class": [
      priorityClass("high-{id}", { value: 1000 }),
      soon(create(pods, ofClass("high-{id}")), 201),
      patch(`${pods}/a`, mergePatch, { metadata: { labels: { a: "b" } } }),
      patch(`${pods}/a`, mergePatch, { spec: { priority: null, preemptionPolicy: null } }),
      patch(`${pods}/a`, mergePatch, { spec: { priority: 5 } }),
    ],
    "is that of a class that preempts nobody": [
      priorityClass("kind-{id}", { value: -5, preemptionPolicy: "Never" }),
      soon(create(pods, ofClass("kind-{id}")), 201),
    ],
    "needs a class that is there": [create(pods, ofClass("none"))],
    "is known for the system's": [create(pods, ofClass("system-node-critical"))],
    "is not written by hand": [
      create(pods, pod("a", {}, { priority: 5 })),
      create(pods, pod("b", {}, { priority: 0 })),
    ],
    "is not written by hand beside a class": [
      priorityClass("high-{id}", { value: 1000 }),
      soon(create(pods, ofClass("high-{id}"), "?dryRun=All"), 201),
      create(pods, ofClass("high-{id}", { priority: 7 })),
      create(pods, ofClass("high-{id}", { priority: 1000 })),
    ],
    "has the policy of its class": [create(pods, pod("a", {}, { preemptionPolicy: "Never" }))],
  }),
  {
    name: "the default class of Pods is one",
    alone: true,
    steps: [
      priorityClass("usual-{id}", { value: 7, globalDefault: true }),
      soon(priorityClass("other-{id}", { value: 8, globalDefault: true }), 403),
      priorityClass("third-{id}", { value: 9 }),
      patch(`${priorities}/third-{id}`, mergePatch, { globalDefault: true }),
      patch(`${priorities}/usual-{id}`, mergePatch, { description: "still the one" }),
      create(pods, pod("a")),
    ],
  },
];

const tolerating = (...tolerations: Fields[]) => create(pods, pod("a", {}, { tolerations }));

export const tolerationSequences: readonly Sequence[] = [
  ...rows("what a Pod tolerates", {
    "of itself": [create(pods, pod("a"))],
    "when it tolerates one": [
      tolerating({
        key: "node.kubernetes.io/not-ready",
        operator: "Exists",
        effect: "NoExecute",
        tolerationSeconds: 5,
      }),
    ],
    "when it tolerates one in any way": [tolerating({ key: "node.kubernetes.io/unreachable", operator: "Exists" })],
    "when it tolerates all": [tolerating({ operator: "Exists" })],
    "when it tolerates all to run on": [tolerating({ operator: "Exists", effect: "NoExecute" })],
    "when it tolerates others": [tolerating({ key: "a", operator: "Equal", value: "b", effect: "NoSchedule" })],
    later: [
      create(pods, pod("a")),
      patch(`${pods}/a`, mergePatch, { spec: { tolerations: [{ key: "x", operator: "Exists" }] } }),
    ],
  }),
  ...rows("a new node", {
    "is not ready": [create(nodes, { metadata: { name: "n-{id}" } })],
    "has its own taints": [
      create(nodes, {
        metadata: { name: "n-{id}" },
        spec: { taints: [{ key: "a", value: "b", effect: "NoExecute" }] },
      }),
    ],
    "has the taint already": [
      create(nodes, {
        metadata: { name: "n-{id}" },
        spec: { taints: [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }] },
      }),
      patch(`${nodes}/n-{id}`, mergePatch, { spec: { taints: null } }),
    ],
  }),
];

// Runtime classes

const runtime = (more: Fields) =>
  create(runtimes, {
    apiVersion: "node.k8s.io/v1",
    kind: "RuntimeClass",
    metadata: { name: "r-{id}" },
    handler: "h",
    ...more,
  });
const running = (more: Fields = {}) => create(pods, pod("a", {}, { runtimeClassName: "r-{id}", ...more }));

export const runtimeSequences: readonly Sequence[] = rows("the runtime of a Pod", {
  "is there": [runtime({}), soon(running(), 201)],
  "has to be there": [create(pods, pod("a", {}, { runtimeClassName: "none" }))],
  "costs something": [runtime({ overhead: { podFixed: { cpu: "10m", memory: "8Mi" } } }), soon(running(), 201)],
  "costs what its class says": [
    runtime({ overhead: { podFixed: { cpu: "10m" } } }),
    soon(create(pods, pod("b", {}, { runtimeClassName: "r-{id}", overhead: { cpu: "10m" } })), 201),
    running({ overhead: { cpu: "20m" } }),
  ],
  "costs nothing without a class": [create(pods, pod("a", {}, { overhead: { cpu: "10m" } }))],
  "costs nothing when its class says so": [
    runtime({}),
    soon(create(pods, pod("b", {}, { runtimeClassName: "r-{id}" })), 201),
    running({ overhead: { cpu: "10m" } }),
  ],
  "is on some nodes": [
    runtime({ scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "t", operator: "Exists" }] } }),
    soon(running({ nodeSelector: { c: "d" } }), 201),
  ],
  "is not on those": [
    runtime({ scheduling: { nodeSelector: { a: "b" } } }),
    soon(create(pods, pod("b", {}, { runtimeClassName: "r-{id}" })), 201),
    running({ nodeSelector: { a: "c" } }),
  ],
  "tolerates once": [
    runtime({
      scheduling: {
        tolerations: [
          { key: "t", operator: "Exists" },
          { key: "u", operator: "Equal", value: "v" },
        ],
      },
    }),
    soon(
      running({
        tolerations: [
          { key: "t", operator: "Equal", value: "x" },
          { key: "u", operator: "Equal", value: "v" },
        ],
      }),
      201,
    ),
  ],
});
