import { apply, create, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const ranges = "/api/v1/namespaces/{ns}/limitranges";
const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const object = (kind: string, spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name: "l", ...metadata },
  spec,
});
const limited = (...limits: readonly Fields[]): Step => create(ranges, object("LimitRange", { limits }));
const container = (fields: Fields) => limited({ type: "Container", ...fields });
const claim = (fields: Fields) => limited({ type: "PersistentVolumeClaim", ...fields });

export const limitRanges: readonly Sequence[] = [
  ...rows("a LimitRange with", {
    nothing: create(ranges, object("LimitRange", {})),
    "no limits": limited(),
    "no name": create(ranges, object("LimitRange", { limits: [] }, { name: "" })),
    "a bad name": create(ranges, object("LimitRange", { limits: [] }, { name: "A b" })),
    "no type": limited({ max: { cpu: "1" } }),
    "an unknown type": limited({ type: "Own" }),
    "a type of others": limited({ type: "example.test/own", max: { cpu: "1" } }),
    "a type twice": limited({ type: "Pod", max: { cpu: "1" } }, { type: "Pod", max: { cpu: "1" } }),
    "a most": container({ max: { cpu: "1", memory: "1024Mi" } }),
    "a least": container({ min: { cpu: "0.5" } }),
    "a default": container({ default: { cpu: "0.5" } }),
    "a default to ask for": container({ defaultRequest: { cpu: "500m" } }),
    "all of them": container({
      max: { cpu: "4" },
      min: { cpu: "1" },
      default: { cpu: "3" },
      defaultRequest: { cpu: "2" },
      maxLimitRequestRatio: { cpu: "2" },
    }),
    "more at least than at most": container({ max: { cpu: "1" }, min: { cpu: "2" } }),
    "less by default than at least": container({ min: { cpu: "2" }, default: { cpu: "1" } }),
    "more by default than at most": container({ max: { cpu: "2" }, default: { cpu: "3" } }),
    "more to ask for than to have": container({ default: { cpu: "1" }, defaultRequest: { cpu: "2" } }),
    "less to ask for than at least": container({ min: { cpu: "2" }, defaultRequest: { cpu: "1" } }),
    "more to ask for than at most": container({ max: { cpu: "2" }, defaultRequest: { cpu: "3" } }),
    "a small ratio": container({ maxLimitRequestRatio: { cpu: "0.5" } }),
    "a large ratio": container({ max: { cpu: "3" }, min: { cpu: "2" }, maxLimitRequestRatio: { cpu: "2" } }),
    "an unknown resource": container({ max: { colour: "1" } }),
    "a resource of Pods": container({ max: { pods: "1" } }),
    "a resource of others": container({ max: { "example.test/gpu": "1" } }),
    "a resource of others in parts": container({
      default: { "example.test/gpu": "2" },
      defaultRequest: { "example.test/gpu": "1" },
    }),
    "large pages": container({ max: { "hugepages-2Mi": "4Mi" } }),
    "an amount that is none": container({ max: { cpu: "much" } }),
    "a default of Pods": limited({
      type: "Pod",
      max: { cpu: "1" },
      default: { cpu: "1" },
      defaultRequest: { cpu: "1" },
    }),
    "claims of a size": claim({ max: { storage: "1Gi" }, min: { storage: "1Mi" } }),
    "claims of no size": claim({ max: { cpu: "1" } }),
    "claims of an unknown resource": claim({ max: { storage: "1Gi", colour: "1" } }),
  }),
  ...rows(
    "a LimitRange that",
    {
      "gets another limit": patch(`${ranges}/l`, mergePatch, {
        spec: { limits: [{ type: "Pod", max: { cpu: "1" } }] },
      }),
      "gets a bad limit": patch(`${ranges}/l`, mergePatch, { spec: { limits: [{ type: "Own" }] } }),
      "is applied": apply(`${ranges}/l`, object("LimitRange", { limits: [{ type: "Pod", max: { cpu: "1" } }] }), {
        force: true,
      }),
      goes: [remove(`${ranges}/l`), get(`${ranges}/l`)],
    },
    [container({ max: { cpu: "1" } })],
  ),
  ...rows("a LimitRange that is not there", {
    "is made by an update": update(`${ranges}/l`, object("LimitRange", { limits: [] })),
  }),
];

const hard = (amounts: Fields, more: Fields = {}) => ({ hard: amounts, ...more });
const selected = (...matchExpressions: readonly Fields[]) => ({ scopeSelector: { matchExpressions } });

export const resourceQuotas: readonly Sequence[] = [
  ...rows(
    "a ResourceQuota with",
    Object.fromEntries(
      Object.entries<Fields>({
        nothing: {},
        amounts: hard({ cpu: "1", "requests.memory": "1024Mi", pods: "5", "count/deployments.apps": "3" }),
        "amounts of others": hard({ "requests.example.test/gpu": "1" }),
        "an unknown amount": hard({ colour: "1" }),
        "an amount that is not for quotas": hard({ storage: "1" }),
        "a bad name of an amount": hard({ "a b": "1" }),
        "a negative amount": hard({ cpu: "-1" }),
        "an amount in parts": hard({ pods: "1.5" }),
        "more to ask for than to have": hard({
          "requests.cpu": "2",
          "limits.cpu": "1",
          memory: "2",
          "limits.memory": "1",
        }),
        "a scope": hard({ pods: "1" }, { scopes: ["BestEffort"] }),
        "a scope that cannot count": hard({ cpu: "1", services: "1" }, { scopes: ["BestEffort"] }),
        "an unknown scope": hard({ pods: "1" }, { scopes: ["Own"] }),
        "scopes against each other": hard(
          { pods: "1" },
          { scopes: ["BestEffort", "NotBestEffort", "Terminating", "NotTerminating"] },
        ),
        "a selector": hard({ pods: "1" }, selected({ scopeName: "PriorityClass", operator: "In", values: ["a"] })),
        "a selector without values": hard({ pods: "1" }, selected({ scopeName: "PriorityClass", operator: "In" })),
        "a selector with values": hard(
          { pods: "1" },
          selected({ scopeName: "PriorityClass", operator: "Exists", values: ["a"] }),
        ),
        "a selector of an unknown operator": hard(
          { pods: "1" },
          selected({ scopeName: "PriorityClass", operator: "Is" }),
        ),
        "a selector of an unknown scope": hard({ pods: "1" }, selected({ scopeName: "Own", operator: "Exists" })),
        "a selector of a plain scope": hard(
          { pods: "1" },
          selected({ scopeName: "BestEffort", operator: "In", values: ["a"] }),
        ),
        "a selector that cannot count": hard({ cpu: "1" }, selected({ scopeName: "BestEffort", operator: "Exists" })),
        "selectors against each other": hard(
          { pods: "1" },
          selected({ scopeName: "BestEffort", operator: "Exists" }, { scopeName: "NotBestEffort", operator: "Exists" }),
        ),
      }).map(([what, spec]) => [what, create(quotas, object("ResourceQuota", spec))]),
    ),
  ),
  ...rows(
    "a ResourceQuota that",
    {
      "gets another amount": patch(`${quotas}/l`, mergePatch, { spec: { hard: { cpu: "2" } } }),
      "gets a bad amount": patch(`${quotas}/l`, mergePatch, { spec: { hard: { colour: "2" } } }),
      "gets another scope": patch(`${quotas}/l`, mergePatch, { spec: { scopes: ["NotTerminating"] } }),
      "loses its scope": patch(`${quotas}/l`, mergePatch, { spec: { scopes: null } }),
      "is told of its use": patch(`${quotas}/l/status`, mergePatch, {
        status: { hard: { pods: "1" }, used: { pods: "0" } },
      }),
      "is told of bad use": patch(`${quotas}/l/status`, mergePatch, {
        status: { hard: { colour: "1" }, used: { pods: "-0.5" } },
      }),
      goes: [remove(`${quotas}/l`), get(`${quotas}/l`)],
    },
    [create(quotas, object("ResourceQuota", hard({ pods: "1" }, { scopes: ["Terminating"] })))],
  ),
];
