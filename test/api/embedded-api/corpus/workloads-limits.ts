import { apply, create, type Fields, mergePatch, patch, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const budgets = "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets";
const scalers = "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers";

const budget = (spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "policy/v1",
  kind: "PodDisruptionBudget",
  metadata: { name: "b", ...metadata },
  spec: { selector: { matchLabels: { a: "b" } }, ...spec },
});
const scaler = (spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "autoscaling/v1",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "h", ...metadata },
  spec: { scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" }, maxReplicas: 3, ...spec },
});

const created = (path: string, object: (spec: Fields) => unknown, table: Readonly<Record<string, Fields>>) =>
  Object.fromEntries(Object.entries(table).map(([what, spec]) => [what, create(path, object(spec))]));

export const disruptions: readonly Sequence[] = [
  ...rows(
    "a PodDisruptionBudget with",
    created(budgets, budget, {
      nothing: {},
      "no selector": { selector: null, minAvailable: 1 },
      "an empty selector": { selector: {}, minAvailable: 1 },
      "a least number": { minAvailable: 1 },
      "a least share": { minAvailable: "50%" },
      "a least share of too much": { minAvailable: "150%" },
      "a least number below nothing": { minAvailable: -1 },
      "a least number in words": { minAvailable: "some" },
      "a most number": { maxUnavailable: 0 },
      "a most share of too much": { maxUnavailable: "101%" },
      "a most number in words": { maxUnavailable: "5" },
      both: { minAvailable: 1, maxUnavailable: "10%" },
      "a bad selector": { selector: { matchExpressions: [{ key: "a b", operator: "In", values: ["c d"] }] } },
      "evictions of the unhealthy": { unhealthyPodEvictionPolicy: "AlwaysAllow" },
      "evictions of its own": { unhealthyPodEvictionPolicy: "Own" },
    }),
  ),
  ...rows("a PodDisruptionBudget whose metadata has", {
    "a bad name": create(budgets, budget({}, { name: "A" })),
    "a bad label": create(budgets, budget({}, { labels: { a: "b c" } })),
    "no name": create(budgets, budget({}, { name: null })),
  }),
  ...rows(
    "a PodDisruptionBudget that",
    {
      "gets another number": patch(`${budgets}/b`, mergePatch, { spec: { minAvailable: 2 } }),
      "gets another selector": patch(`${budgets}/b`, mergePatch, { spec: { selector: { matchLabels: { c: "d" } } } }),
      "gets both numbers": patch(`${budgets}/b`, mergePatch, { spec: { maxUnavailable: 2 } }),
      "gets a bad label": patch(`${budgets}/b`, mergePatch, { metadata: { labels: { a: "b c" } } }),
      "is replaced without a version": update(`${budgets}/b`, budget({ minAvailable: 3 })),
      "is applied": apply(`${budgets}/b`, budget({ minAvailable: 3 }), { force: true }),
    },
    [create(budgets, budget({ minAvailable: 1 }))],
  ),
];

const target = (fields: Fields) => ({
  scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d", ...fields },
});

export const scaling: readonly Sequence[] = [
  ...rows(
    "a HorizontalPodAutoscaler with",
    created(scalers, scaler, {
      little: {},
      "a least number": { minReplicas: 2 },
      "a least number of nothing": { minReplicas: 0 },
      "a least number that is more": { minReplicas: 5 },
      "no most number": { maxReplicas: null },
      "a negative most number": { maxReplicas: -1 },
      "a share of processors": { targetCPUUtilizationPercentage: 50 },
      "a share of no processors": { targetCPUUtilizationPercentage: 0 },
      "no target": { scaleTargetRef: null },
      "a target of no kind": target({ kind: "" }),
      "a target of no name": target({ name: "" }),
      "a target of a bad kind": target({ kind: "a/b", name: ".." }),
      "a target of no version": target({ apiVersion: "" }),
      "a target of the core": target({ apiVersion: "v1" }),
      "a target of the core that may be": target({ apiVersion: "v1", kind: "ReplicationController" }),
      "a target of a bad version": target({ apiVersion: "a/b/c" }),
    }),
  ),
  ...rows(
    "a HorizontalPodAutoscaler that",
    {
      "gets another number": patch(`${scalers}/h`, mergePatch, { spec: { maxReplicas: 9 } }),
      "gets a bad number": patch(`${scalers}/h`, mergePatch, { spec: { maxReplicas: 0 } }),
      "gets another target": patch(`${scalers}/h`, mergePatch, { spec: target({ apiVersion: "v1" }) }),
      "is told of its status": patch(`${scalers}/h/status`, mergePatch, {
        status: { currentReplicas: 1, desiredReplicas: 2, lastScaleTime: "2020-01-01T00:00:00Z" },
      }),
      "is told of a bad status": patch(`${scalers}/h/status`, mergePatch, {
        status: { currentReplicas: -1, desiredReplicas: -2 },
      }),
      "is applied": apply(`${scalers}/h`, scaler({ minReplicas: 2 }), { force: true }),
    },
    [create(scalers, scaler({}))],
  ),
];
