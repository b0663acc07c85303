import { bound, container, grown, needing, soon, storageClass } from "../admission-builders.ts";
import {
  claim,
  claims,
  configMap,
  create,
  type Fields,
  get,
  maps,
  mergePatch,
  patch,
  pod,
  pods,
  rows,
  secrets,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const quotas = "/api/v1/namespaces/{ns}/resourcequotas";
const leases = "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases";
const services = "/api/v1/namespaces/{ns}/services";

const quota = (hard: Fields, used: Fields | undefined, more: Fields = {}): Step[] => [
  create(quotas, { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "q" }, spec: { hard, ...more } }),
  ...(used === undefined ? [] : [patch(`${quotas}/q/status`, mergePatch, { status: { hard, used } })]),
];
const look = get(`${quotas}/q`);
const counted = (hard: Fields, more: Fields = {}) =>
  quota(hard, Object.fromEntries(Object.keys(hard).map((name) => [name, "0"])), more);
/** One that the server knows of, which it shows by refusing a lease. */
const known = (hard: Fields): Step[] => [
  ...counted({ ...hard, "count/leases.coordination.k8s.io": "0" }),
  soon(create(leases, { metadata: { name: "none" } }, "?dryRun=All"), 403),
];
/** One of no Pods that the server knows of, which it shows by refusing this one. */
const knownBy = (spec: Fields, more: Fields): Step[] => [
  ...counted({ pods: "0" }, more),
  soon(create(pods, pod("none", {}, spec), "?dryRun=All"), 403),
];
const elsewhere = {
  affinity: {
    podAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "k", namespaces: ["x"], labelSelector: {} }],
    },
  },
};
const computed = { requests: { cpu: "100m", memory: "10Mi" }, limits: { cpu: "200m", memory: "20Mi" } };

export const quotaSequences: readonly Sequence[] = [
  ...rows("a quota", {
    "counts Pods": [...known({ pods: "1" }), create(pods, pod("a")), look, soon(create(pods, pod("b")), 403), look],
    "refuses a Pod that there is something to warn of": [
      ...known({ pods: "0" }),
      create(pods, pod("a", {}, { nodeSelector: { "beta.kubernetes.io/os": "linux" } })),
    ],
    "counts nothing of a dry run": [...known({ pods: "1" }), create(pods, pod("a"), "?dryRun=All"), look],
    "that was not counted yet": [...quota({ pods: "1" }, undefined), create(pods, pod("a"))],
    "that was counted in part": [
      ...quota({ pods: "1", "count/pods": "1" }, undefined),
      patch(`${quotas}/q/status`, mergePatch, {
        status: { hard: { pods: "1", "count/pods": "1" }, used: { pods: "0" } },
      }),
      soon(create(pods, pod("a")), 403),
    ],
    "counts objects": [
      ...known({ "count/configmaps": "1" }),
      soon(create(maps, configMap("a")), 201),
      look,
      create(maps, configMap("b")),
    ],
    "counts objects by their old name": [
      ...known({ configmaps: "1" }),
      create(maps, configMap("a")),
      look,
      create(maps, configMap("b")),
    ],
    "counts secrets": [
      ...known({ secrets: "1", "count/secrets": "5" }),
      create(secrets, { metadata: { name: "a" } }),
      look,
      create(secrets, { metadata: { name: "b" } }),
    ],
    "counts what it may be": [
      ...known({ "count/deployments.apps": "0" }),
      create("/apis/apps/v1/namespaces/{ns}/deployments", {
        metadata: { name: "a" },
        spec: {
          selector: { matchLabels: { a: "a" } },
          template: { metadata: { labels: { a: "a" } }, spec: { containers: [container("m")] } },
        },
      }),
    ],
    "counts no events": [
      ...known({ "count/events": "0" }),
      create("/api/v1/namespaces/{ns}/events", { metadata: { name: "e" }, involvedObject: { namespace: "{ns}" } }),
    ],
    "adds up": [
      ...known({ "requests.cpu": "1", "requests.memory": "1Gi", "limits.cpu": "1", "limits.memory": "1Gi" }),
      create(pods, pod("a", {}, needing(computed))),
      look,
      create(pods, pod("b", {}, needing(computed))),
      look,
    ],
    "adds up by short names": [
      ...known({ cpu: "150m", memory: "1Gi" }),
      create(pods, pod("a", {}, needing(computed))),
      look,
      soon(create(pods, pod("b", {}, needing(computed))), 403),
    ],
    "wants to know": [...known({ cpu: "1" }), create(pods, pod("a"))],
    "wants to know all": [
      ...known({ "requests.cpu": "1", "limits.memory": "1Gi" }),
      create(
        pods,
        pod(
          "a",
          {},
          {
            containers: [container("x"), container("y", { resources: { requests: { cpu: "1m" } } })],
            initContainers: [container("w")],
          },
        ),
      ),
    ],
    "of disk need not know": [
      ...known({ "requests.ephemeral-storage": "1Gi" }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, needing({ requests: { "ephemeral-storage": "1Mi" } }))),
      look,
    ],
    "of devices": [
      ...known({ "requests.example.test/gpu": "1" }),
      create(pods, pod("a", {}, needing({ limits: { "example.test/gpu": "1" } }))),
      look,
      soon(create(pods, pod("b", {}, needing({ limits: { "example.test/gpu": "1" } }))), 403),
    ],
    "of huge pages": [
      ...known({ "hugepages-2Mi": "4Mi", "requests.hugepages-2Mi": "4Mi" }),
      create(pods, pod("a", {}, needing({ limits: { "hugepages-2Mi": "2Mi", memory: "1Mi" } }))),
      look,
    ],
    "counts with those that run first": [
      ...known({ "requests.cpu": "1" }),
      create(
        pods,
        pod(
          "a",
          {},
          needing(computed, { initContainers: [container("w", { resources: { requests: { cpu: "700m" } } })] }),
        ),
      ),
      look,
    ],
    "counts what a Pod asks for as a whole": [
      ...known({ "requests.cpu": "1" }),
      create(pods, pod("a", {}, { resources: { requests: { cpu: "300m" } } })),
      look,
    ],
    "tells of all that is too much": [
      ...known({ "requests.cpu": "1m", "limits.cpu": "1m", pods: "5" }),
      create(pods, pod("a", {}, needing(computed))),
    ],
  }),
  ...rows("a quota of some Pods", {
    "without resources": [
      ...knownBy({}, { scopes: ["BestEffort"] }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, needing(computed))),
    ],
    "with resources": [
      ...knownBy(needing(computed), { scopes: ["NotBestEffort"] }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, needing(computed))),
    ],
    "that end": [
      ...knownBy({ activeDeadlineSeconds: 5 }, { scopes: ["Terminating"] }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, { activeDeadlineSeconds: 5 })),
    ],
    "that stay": [
      ...knownBy({}, { scopes: ["NotTerminating"] }),
      patch(`${quotas}/q`, mergePatch, { spec: { hard: { pods: "1" } } }),
      patch(`${quotas}/q/status`, mergePatch, { status: { hard: { pods: "1" } } }),
      create(pods, pod("a", {}, { activeDeadlineSeconds: 5 })),
      soon(create(pods, pod("b")), 201),
      look,
      patch(`${pods}/b`, mergePatch, { spec: { activeDeadlineSeconds: 9 } }),
      look,
    ],
    "of a class": [
      ...knownBy(
        { priorityClassName: "system-node-critical" },
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["system-node-critical"] }],
          },
        },
      ),
      create(pods, pod("a")),
      create(pods, pod("b", {}, { priorityClassName: "system-node-critical" })),
    ],
    "of no class": [
      ...knownBy(
        {},
        { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "DoesNotExist" }] } },
      ),
      create(pods, pod("a")),
    ],
    "of other classes": [
      ...knownBy(
        {},
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: "PriorityClass", operator: "NotIn", values: ["system-node-critical"] }],
          },
        },
      ),
      create(pods, pod("a")),
      create(pods, pod("b", {}, { priorityClassName: "system-node-critical" })),
    ],
    "of any class": [
      ...knownBy({ priorityClassName: "system-node-critical" }, { scopes: ["PriorityClass"] }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, { priorityClassName: "system-node-critical" })),
    ],
    "that look into other namespaces": [
      ...knownBy(elsewhere, { scopes: ["CrossNamespacePodAffinity"] }),
      create(pods, pod("a")),
      create(pods, pod("b", {}, elsewhere)),
      create(
        pods,
        pod(
          "c",
          {},
          {
            affinity: {
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  { weight: 1, podAffinityTerm: { topologyKey: "k", namespaceSelector: {}, labelSelector: {} } },
                ],
              },
            },
          },
        ),
      ),
    ],
  }),
  ...rows("a quota of storage", {
    "counts claims": [
      ...known({ persistentvolumeclaims: "1", "count/persistentvolumeclaims": "2" }),
      create(claims, claim("a")),
      look,
      soon(create(claims, claim("b")), 403),
    ],
    "adds up": [
      ...known({ "requests.storage": "1536Mi" }),
      create(claims, claim("a")),
      look,
      soon(create(claims, claim("b")), 403),
    ],
    "rounds up": [
      ...known({ "requests.storage": "2Gi" }),
      create(claims, claim("a", { resources: { requests: { storage: "1500m" } } })),
      look,
    ],
    "by class": [
      ...known({
        "gold.storageclass.storage.k8s.io/requests.storage": "1Gi",
        "gold.storageclass.storage.k8s.io/persistentvolumeclaims": "5",
      }),
      create(claims, claim("a", { storageClassName: "gold" })),
      create(claims, claim("b", { storageClassName: "silver" })),
      look,
      soon(create(claims, claim("c", { storageClassName: "gold" })), 403),
    ],
    "by class of attributes": [
      ...counted(
        { persistentvolumeclaims: "0" },
        {
          scopeSelector: {
            matchExpressions: [{ scopeName: "VolumeAttributesClass", operator: "In", values: ["fast"] }],
          },
        },
      ),
      soon(create(claims, claim("none", { volumeAttributesClassName: "fast" }), "?dryRun=All"), 403),
      create(claims, claim("a")),
      create(claims, claim("b", { volumeAttributesClassName: "fast" })),
    ],
    "counts what grows": [
      storageClass("c-{id}", { allowVolumeExpansion: true }),
      ...known({ "requests.storage": "2500Mi" }),
      create(claims, claim("a", { storageClassName: "c-{id}" })),
      bound,
      soon(grown, 200),
      look,
      patch(`${claims}/a`, mergePatch, { spec: { resources: { requests: { storage: "3Gi" } } } }),
    ],
    "of an update that asks for no more": [
      ...known({ "requests.storage": "1Gi" }),
      create(claims, claim("a")),
      patch(`${claims}/a`, mergePatch, { metadata: { labels: { a: "b" } } }),
      look,
    ],
  }),
  ...rows("a quota of services", {
    "counts them": [
      ...known({ services: "1" }),
      create(services, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } }),
      look,
      soon(create(services, { metadata: { name: "b" }, spec: { ports: [{ port: 80 }] } }), 403),
    ],
    "counts ports of nodes": [
      ...known({ "services.nodeports": "1" }),
      create(services, {
        metadata: { name: "b" },
        spec: {
          type: "NodePort",
          ports: [
            { port: 80, name: "x" },
            { port: 81, name: "y" },
          ],
        },
      }),
    ],
    "counts balancers": [
      ...known({ "services.loadbalancers": "0" }),
      create(services, { metadata: { name: "a" }, spec: { ports: [{ port: 80 }] } }),
      create(services, { metadata: { name: "b" }, spec: { type: "LoadBalancer", ports: [{ port: 80 }] } }),
    ],
  }),
];
