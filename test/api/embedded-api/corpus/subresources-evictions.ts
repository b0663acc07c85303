import { binding, bindPath, toNode } from "../binding-builders.ts";
import { create, get, mergePatch, patch, pod, pods, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";

const eviction = (more: object = {}, metadata: object = {}) => ({
  apiVersion: "policy/v1",
  kind: "Eviction",
  metadata: { name: "a", ...metadata },
  ...more,
});
const evictPath = `${pods}/a/eviction`;

const running = (ready: boolean): Step =>
  patch(`${pods}/a/status`, mergePatch, {
    status: { phase: "Running", conditions: [{ type: "Ready", status: ready ? "True" : "False" }] },
  });
/** On a node, so that it stays for its grace period. */
const placed = create(bindPath, binding("a", toNode));

const budget = (spec: object, status?: object, name = "b"): Step[] => [
  create(budgets, {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name },
    spec: { selector: { matchLabels: { app: "a" } }, ...spec },
  }),
  ...(status === undefined
    ? []
    : [
        patch(`${budgets}/${name}/status`, mergePatch, {
          status: { observedGeneration: 1, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1, ...status },
        }),
      ]),
];

const evictAndLook = [create(evictPath, eviction()), get(`${pods}/a`), get(`${budgets}/b`)];

export const evictionSequences: readonly Sequence[] = rows(
  "a Pod is evicted",
  {
    "while it waits for a node": [create(evictPath, eviction()), get(`${pods}/a`)],
    "from its node": [placed, create(evictPath, eviction()), get(`${pods}/a`)],
    twice: [placed, create(evictPath, eviction()), create(evictPath, eviction()), get(`${pods}/a`)],
    "at once": [placed, create(evictPath, eviction({ deleteOptions: { gracePeriodSeconds: 0 } })), get(`${pods}/a`)],
    "with a short grace period": [
      placed,
      create(evictPath, eviction({ deleteOptions: { gracePeriodSeconds: 5 } })),
      get(`${pods}/a`),
    ],
    "in a dry run": [create(`${evictPath}?dryRun=All`, eviction()), get(`${pods}/a`)],
    "in a dry run of its own": [create(evictPath, eviction({ deleteOptions: { dryRun: ["All"] } })), get(`${pods}/a`)],
    "in two dry runs": [create(`${evictPath}?dryRun=All`, eviction({ deleteOptions: { dryRun: ["Some"] } }))],
    "by its own name": [create(evictPath, eviction({}, { name: "b" }))],
    "by a name": [create(evictPath, {})],
    "by an empty body": [create(evictPath, "")],
    "in its namespace": [create(evictPath, eviction({}, { namespace: "other" }))],
    "when it is there": [create(`${pods}/none/eviction`, eviction({}, { name: "none" }))],
    "when it has the uid": [
      create(evictPath, eviction({ deleteOptions: { preconditions: { uid: "wrong" } } })),
      get(`${pods}/a`),
    ],
    "when it has the version": [
      create(evictPath, eviction({ deleteOptions: { preconditions: { resourceVersion: "1" } } })),
    ],
    "by an Eviction": [create(evictPath, { kind: "Pod", apiVersion: "v1", metadata: { name: "a" } })],
    "by nothing else": [get(evictPath), update(evictPath, eviction())],
    "when it has ended": [
      ...budget({ minAvailable: 1 }, { disruptionsAllowed: 0 }),
      patch(`${pods}/a/status`, mergePatch, { status: { phase: "Succeeded" } }),
      ...evictAndLook,
    ],
    "though a budget knows nothing yet": [placed, running(true), ...budget({ minAvailable: 1 }), ...evictAndLook],
    "when a budget allows one": [
      placed,
      running(true),
      ...budget({ minAvailable: 0 }, { disruptionsAllowed: 1 }),
      ...evictAndLook,
    ],
    "when a budget allows two": [
      placed,
      running(true),
      ...budget({ minAvailable: 0 }, { disruptionsAllowed: 2 }),
      ...evictAndLook,
    ],
    "when a budget allows one, in a dry run": [
      placed,
      running(true),
      ...budget({ minAvailable: 0 }, { disruptionsAllowed: 1 }),
      create(`${evictPath}?dryRun=All`, eviction()),
      get(`${budgets}/b`),
    ],
    "not when a budget allows none": [
      placed,
      running(true),
      ...budget({ minAvailable: 1 }, { disruptionsAllowed: 0 }),
      ...evictAndLook,
    ],
    "not when a budget has enough, and allows none": [
      placed,
      running(true),
      ...budget({ minAvailable: 1 }, { disruptionsAllowed: 0, currentHealthy: 2 }),
      ...evictAndLook,
    ],
    "not when a budget says why not": [
      placed,
      running(true),
      ...budget(
        { minAvailable: 1 },
        {
          disruptionsAllowed: 0,
          currentHealthy: 2,
          conditions: [
            {
              type: "DisruptionAllowed",
              status: "False",
              reason: "Odd",
              message: "for a reason",
              lastTransitionTime: "2020-01-01T00:00:00Z",
            },
          ],
        },
      ),
      ...evictAndLook,
    ],
    "not when a budget could not be counted": [
      placed,
      running(true),
      ...budget(
        { minAvailable: 1 },
        {
          disruptionsAllowed: 0,
          conditions: [
            {
              type: "DisruptionAllowed",
              status: "False",
              reason: "SyncFailed",
              message: "no controller",
              lastTransitionTime: "2020-01-01T00:00:00Z",
            },
          ],
        },
      ),
      ...evictAndLook,
    ],
    "when it is not ready and enough others are": [
      placed,
      running(false),
      ...budget({ minAvailable: 1 }, { disruptionsAllowed: 0 }),
      ...evictAndLook,
    ],
    "not when it is not ready and too few others are": [
      placed,
      running(false),
      ...budget({ minAvailable: 1 }, { disruptionsAllowed: 0, currentHealthy: 0 }),
      ...evictAndLook,
    ],
    "when it is not ready and the budget does not mind": [
      placed,
      running(false),
      ...budget(
        { minAvailable: 1, unhealthyPodEvictionPolicy: "AlwaysAllow" },
        { disruptionsAllowed: 0, currentHealthy: 0 },
      ),
      ...evictAndLook,
    ],
    "not when two budgets are about it": [
      placed,
      running(true),
      ...budget({ minAvailable: 0 }, { disruptionsAllowed: 1 }),
      ...budget({ maxUnavailable: 1 }, { disruptionsAllowed: 1 }, "c"),
      ...evictAndLook,
    ],
    "when a budget is about others": [
      placed,
      running(true),
      ...budget({ minAvailable: 1, selector: { matchLabels: { app: "other" } } }, { disruptionsAllowed: 0 }),
      ...evictAndLook,
    ],
    "not when a budget is about all": [
      placed,
      running(true),
      ...budget({ minAvailable: 1, selector: {} }, { disruptionsAllowed: 0 }),
      ...evictAndLook,
    ],
    "when a budget is about none": [
      placed,
      running(true),
      create(budgets, {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "b" },
        spec: { minAvailable: 1 },
      }),
      ...evictAndLook,
    ],
  },
  [create(pods, pod("a", { labels: { app: "a" } }))],
);
