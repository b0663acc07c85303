import { apply, create, each, type Fields, get, mergePatch, patch, remove, rows, update } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

const priorities = "/apis/scheduling.k8s.io/v1/priorityclasses";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const runtimes = "/apis/node.k8s.io/v1/runtimeclasses";
const services = "/apis/apiregistration.k8s.io/v1/apiservices";

const priority = (more: Fields, metadata: Fields = {}) => ({
  apiVersion: "scheduling.k8s.io/v1",
  kind: "PriorityClass",
  metadata: { name: "{id}", ...metadata },
  ...more,
});

export const priorityClasses: readonly Sequence[] = [
  ...rows(
    "a PriorityClass with",
    Object.fromEntries(
      Object.entries<Fields>({
        little: { value: 5 },
        "no value": {},
        "a negative value": { value: -5 },
        "too much": { value: 1_000_000_001 },
        "a description": { value: 1, description: "d", globalDefault: false },
        "no preemption": { value: 1, preemptionPolicy: "Never" },
        "preemption of its own": { value: 1, preemptionPolicy: "Own" },
        "empty preemption": { value: 1, preemptionPolicy: "" },
      }).map(([what, more]) => [what, create(priorities, priority(more))]),
    ),
  ),
  ...each("a PriorityClass named", ["system-own", "A", "a.b"], (name) => [
    create(priorities, priority({ value: 5 }, { name: name === "a.b" ? "{id}.b" : name })),
  ]),
  ...rows(
    "a PriorityClass that",
    {
      "gets another value": patch(`${priorities}/{id}`, mergePatch, { value: 6 }),
      "gets other preemption": patch(`${priorities}/{id}`, mergePatch, { preemptionPolicy: "Never" }),
      "gets a description": patch(`${priorities}/{id}`, mergePatch, { description: "d" }),
      "is applied": apply(`${priorities}/{id}`, priority({ value: 5, description: "x" }), { force: true }),
      goes: [remove(`${priorities}/{id}`), get(`${priorities}/{id}`)],
    },
    [create(priorities, priority({ value: 5 }))],
  ),
];

const lease = (spec: Fields, metadata: Fields = {}) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name: "l", ...metadata },
  spec,
});

export const leasesOf: readonly Sequence[] = [
  ...rows(
    "a Lease with",
    Object.fromEntries(
      Object.entries<Fields>({
        nothing: {},
        "a holder": { holderIdentity: "a", leaseDurationSeconds: 15, leaseTransitions: 0 },
        "an empty holder": { holderIdentity: "" },
        times: { acquireTime: "2020-01-01T00:00:00.000001Z", renewTime: "2020-01-01T00:00:00Z" },
        "a time that is none": { renewTime: "now" },
        "no duration": { leaseDurationSeconds: 0 },
        "negative numbers": { leaseDurationSeconds: -1, leaseTransitions: -1 },
        "a strategy": { strategy: "OldestEmulationVersion", preferredHolder: "b" },
        "a strategy of its own": { strategy: "Own" },
      }).map(([what, spec]) => [what, create(leases, lease(spec))]),
    ),
  ),
  ...rows(
    "a Lease that",
    {
      "is renewed": patch(`${leases}/l`, mergePatch, { spec: { renewTime: "2021-01-01T00:00:00.5Z" } }),
      "gets a bad number": patch(`${leases}/l`, mergePatch, { spec: { leaseDurationSeconds: 0 } }),
      "is replaced without a version": update(`${leases}/l`, lease({ holderIdentity: "b" })),
      "is applied": apply(`${leases}/l`, lease({ holderIdentity: "b" }), { force: true }),
      goes: [remove(`${leases}/l`), get(`${leases}/l`)],
    },
    [create(leases, lease({ holderIdentity: "a" }))],
  ),
  ...rows("a Lease that is not there", { "is made by an update": update(`${leases}/l`, lease({})) }),
];

const runtime = (more: Fields) => ({
  apiVersion: "node.k8s.io/v1",
  kind: "RuntimeClass",
  metadata: { name: "{id}" },
  handler: "runc",
  ...more,
});

export const runtimeClasses: readonly Sequence[] = [
  ...rows(
    "a RuntimeClass with",
    Object.fromEntries(
      Object.entries<Fields>({
        little: {},
        "no handler": { handler: "" },
        "a bad handler": { handler: "A.b" },
        overhead: { overhead: { podFixed: { cpu: "0.25", memory: "64Mi" } } },
        "bad overhead": { overhead: { podFixed: { colour: "1" } } },
        "negative overhead": { overhead: { podFixed: { cpu: "-1" } } },
        places: { scheduling: { nodeSelector: { a: "b" }, tolerations: [{ key: "a", operator: "Exists" }] } },
        "bad places": { scheduling: { nodeSelector: { "a b": "c d" } } },
        "old places": { scheduling: { nodeSelector: { "beta.kubernetes.io/os": "linux" } } },
        "a toleration twice": { scheduling: { tolerations: [{ key: "a" }, { key: "a", tolerationSeconds: 5 }] } },
        "a bad toleration": { scheduling: { tolerations: [{ key: "a b", operator: "Own", effect: "Own" }] } },
      }).map(([what, more]) => [what, create(runtimes, runtime(more))]),
    ),
  ),
  ...rows(
    "a RuntimeClass that",
    {
      "gets another handler": patch(`${runtimes}/{id}`, mergePatch, { handler: "gvisor" }),
      "gets overhead": patch(`${runtimes}/{id}`, mergePatch, { overhead: { podFixed: { cpu: "1" } } }),
      "loses its handler": patch(`${runtimes}/{id}`, mergePatch, { handler: null }),
      goes: [remove(`${runtimes}/{id}`), get(`${runtimes}/{id}`)],
    },
    [create(runtimes, runtime({}))],
  ),
];

const service = (spec: Fields, name = "v1.{id}.test") => ({
  apiVersion: "apiregistration.k8s.io/v1",
  kind: "APIService",
  metadata: { name },
  spec: { group: "{id}.test", version: "v1", groupPriorityMinimum: 10, versionPriority: 10, ...spec },
});
const remote = { service: { name: "s", namespace: "{ns}" } };

export const apiServices: readonly Sequence[] = rows("an APIService", {
  "of a bad name": create(services, service(remote, "{id}")),
  "without priorities": create(services, service({ ...remote, groupPriorityMinimum: 0, versionPriority: 0 })),
  "of too high priorities": create(
    services,
    service({ ...remote, groupPriorityMinimum: 20_001, versionPriority: 1001 }),
  ),
  "of no group": create(services, service({ ...remote, group: "", version: "v2" }, "v2.")),
  "of a bad group": create(services, service({ ...remote, group: "A b" }, "v1.A b")),
  "of a bad version": create(services, service({ ...remote, version: "1" }, "1.{id}.test")),
  "of no service": create(services, service({ service: {} })),
  "of a bad port": create(services, service({ service: { name: "s", namespace: "x", port: 0 } })),
  "that trusts twice": create(services, service({ ...remote, insecureSkipTLSVerify: true, caBundle: "YQ==" })),
  "here that trusts": create(services, service({ insecureSkipTLSVerify: true, caBundle: "YQ==" })),
});
