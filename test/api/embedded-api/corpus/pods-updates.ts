import {
  apply,
  create,
  type Fields,
  get,
  jsonPatch,
  mergePatch,
  patch,
  pod,
  pods,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence } from "../sequence.ts";

/** What may change of a Pod that is there: of itself, of its status, and through the subresources of its parts. */

const path = `${pods}/a`;
const image = "example.test/app:1";
const merged = (spec: Fields, metadata: Fields = {}) => patch(path, mergePatch, { metadata, spec });

const before = pod(
  "a",
  { labels: { app: "x" }, annotations: { note: "1" } },
  {
    activeDeadlineSeconds: 100,
    tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 5 }],
    initContainers: [{ name: "first", image }],
    containers: [{ name: "main", image, env: [{ name: "A", value: "1" }], resources: { limits: { cpu: "1" } } }],
    nodeSelector: { disk: "fast" },
  },
);

export const changes: readonly Sequence[] = rows(
  "a change of a Pod",
  {
    "the same again": update(path, before),
    labels: merged({}, { labels: { app: "y", other: "z" } }),
    "labels that are none": merged({}, { labels: { "a b": "c" } }),
    "an image": patch(path, strategicPatch, { spec: { containers: [{ name: "main", image: "example.test/app:2" }] } }),
    "an init container's image": patch(path, jsonPatch, [
      { op: "replace", path: "/spec/initContainers/0/image", value: "x" },
    ]),
    "no image": patch(path, jsonPatch, [{ op: "replace", path: "/spec/containers/0/image", value: "" }]),
    "an image with a space": patch(path, jsonPatch, [{ op: "replace", path: "/spec/containers/0/image", value: "x " }]),
    "a variable": patch(path, jsonPatch, [{ op: "replace", path: "/spec/containers/0/env/0/value", value: "2" }]),
    "a container more": patch(path, strategicPatch, { spec: { containers: [{ name: "second", image }] } }),
    "a container less": patch(path, jsonPatch, [{ op: "remove", path: "/spec/initContainers/0" }]),
    "a nearer deadline": merged({ activeDeadlineSeconds: 50 }),
    "a later deadline": merged({ activeDeadlineSeconds: 200 }),
    "a deadline of nothing": merged({ activeDeadlineSeconds: 0 }),
    "a deadline below nothing": merged({ activeDeadlineSeconds: -1 }),
    "no deadline": merged({ activeDeadlineSeconds: null }),
    "a longer toleration": merged({
      tolerations: [{ key: "a", operator: "Exists", effect: "NoExecute", tolerationSeconds: 9 }],
    }),
    "another toleration": patch(path, jsonPatch, [
      { op: "add", path: "/spec/tolerations/-", value: { key: "b", operator: "Exists" } },
    ]),
    "a toleration that is none": patch(path, jsonPatch, [
      { op: "add", path: "/spec/tolerations/-", value: { key: "b c", operator: "Is" } },
    ]),
    "no toleration": merged({ tolerations: [] }),
    "a gate": merged({ schedulingGates: [{ name: "a" }] }),
    "a node's label": merged({ nodeSelector: { zone: "b" } }),
    "a node": merged({ nodeName: "n" }),
    "a time to end": merged({ terminationGracePeriodSeconds: 5 }),
    "a restart policy": merged({ restartPolicy: "Never" }),
    "a restart policy that is none": merged({ restartPolicy: "Sometimes" }),
    "a host's name": merged({ hostname: "h" }),
    "the host's network": merged({ hostNetwork: true }),
    "the account": merged({ serviceAccountName: "other" }),
    resources: patch(path, jsonPatch, [{ op: "replace", path: "/spec/containers/0/resources/limits/cpu", value: "2" }]),
    "a volume": patch(path, jsonPatch, [{ op: "add", path: "/spec/volumes/0", value: { name: "v", emptyDir: {} } }]),
    security: merged({ securityContext: { runAsUser: 5 } }),
    affinity: merged({
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] } } },
    }),
    "several things": merged({ hostname: "h", subdomain: "s", priorityClassName: null, dnsPolicy: "Default" }),
    "a mirror": merged({}, { annotations: { "kubernetes.io/config.mirror": "a" } }),
    "an AppArmor profile": merged(
      {},
      { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } },
    ),
    "a cost that is none": merged({}, { annotations: { "controller.kubernetes.io/pod-deletion-cost": "x" } }),
    "its status": patch(path, mergePatch, { status: { phase: "Running" } }),
    "its name": update(path, { ...before, metadata: { name: "b" } }),
    "its own finalizer": [
      merged({}, { finalizers: ["example.test/a"] }),
      remove(path),
      merged({}, { finalizers: null }),
      get(path),
    ],
    "an ephemeral container": patch(path, strategicPatch, {
      spec: { ephemeralContainers: [{ name: "debug", image }] },
    }),
  },
  [create(pods, before)],
);

const terms = (...list: readonly Fields[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: list } } },
});
const inZone = { key: "zone", operator: "In", values: ["a"] };
const gated = pod(
  "a",
  {},
  {
    schedulingGates: [{ name: "a" }, { name: "b" }],
    nodeSelector: { disk: "fast" },
    ...terms({ matchExpressions: [inZone] }),
  },
);

export const gatedPods: readonly Sequence[] = [
  ...rows(
    "a Pod behind gates",
    {
      "one gate less": [
        patch(path, jsonPatch, [{ op: "remove", path: "/spec/schedulingGates/0" }]),
        merged({ schedulingGates: null }),
      ],
      "one gate more": patch(path, jsonPatch, [{ op: "add", path: "/spec/schedulingGates/0", value: { name: "c" } }]),
      "a label more": merged({ nodeSelector: { zone: "b" } }),
      "a label less": merged({ nodeSelector: { disk: null } }),
      "another label": merged({ nodeSelector: { disk: "slow" } }),
      "an expression more": merged(terms({ matchExpressions: [inZone, { key: "b", operator: "Exists" }] })),
      "another expression": merged(terms({ matchExpressions: [{ key: "b", operator: "Exists" }] })),
      "a term more": merged(terms({ matchExpressions: [inZone] }, { matchExpressions: [inZone] })),
      "no affinity": merged({ affinity: null }),
      "a host's name": merged({ hostname: "h" }),
      "a label more and a host's name": merged({ hostname: "h", nodeSelector: { zone: "b" } }),
    },
    [create(pods, gated)],
  ),
  ...rows(
    "a Pod behind a gate that says nothing of nodes",
    {
      affinity: merged(terms({ matchExpressions: [inZone] })),
      "affinity to Pods": merged({ affinity: { podAffinity: {} } }),
    },
    [create(pods, pod("a", {}, { schedulingGates: [{ name: "a" }] }))],
  ),
];

const report = (status: Fields) => patch(`${path}/status`, mergePatch, { status });
const container = (state: Fields, more: Fields = {}) => ({
  name: "main",
  image,
  imageID: "",
  ready: false,
  restartCount: 0,
  state,
  ...more,
});
const ended = (exitCode: number) => container({ terminated: { exitCode } });
const running = container({ running: { startedAt: "2026-01-01T00:00:00Z" } });

export const statuses: readonly Sequence[] = [
  ...rows(
    "a report of a Pod",
    {
      "it runs": report({
        phase: "Running",
        podIP: "10.0.0.1",
        hostIP: "10.0.0.2",
        startTime: "2026-01-01T00:00:00Z",
        containerStatuses: [running],
      }),
      "all addresses": report({
        podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }],
        hostIP: "10.0.0.2",
        hostIPs: [{ ip: "10.0.0.2" }],
      }),
      "another first address": report({ podIP: "10.0.0.9", podIPs: [{ ip: "10.0.0.1" }] }),
      "addresses that are none": report({ podIPs: [{ ip: "x" }, { ip: "10.0.0.1" }] }),
      "two addresses of a kind": report({ podIPs: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }] }),
      "another first address of the host": report({ hostIP: "10.0.0.2", hostIPs: [{ ip: "10.0.0.3" }] }),
      conditions: report({
        conditions: [
          { type: "Ready", status: "True", observedGeneration: 1 },
          { type: "example.test/a", status: "False" },
        ],
      }),
      "conditions that are none": report({ conditions: [{ type: "a b", status: "True", observedGeneration: -1 }] }),
      "a generation": [report({ observedGeneration: 3 }), report({ observedGeneration: null, phase: "Running" })],
      "a generation of a condition": [
        report({ conditions: [{ type: "Ready", status: "True", observedGeneration: 1 }] }),
        report({ conditions: [{ type: "Ready", status: "False" }] }),
      ],
      "a generation that is none": report({ observedGeneration: -1 }),
      "nothing, in many words": report({
        reason: "",
        message: "",
        hostIP: "",
        startTime: null,
        containerStatuses: [container({}, { started: false, lastState: {}, allocatedResources: { cpu: "1000m" } })],
      }),
      "what ended before": report({
        initContainerStatuses: [
          container({ waiting: { reason: "r" } }, { lastState: { terminated: { exitCode: 0, finishedAt: null } } }),
        ],
      }),
      "parts that are not done yet": report({
        nodeAllocatableResourceClaimStatuses: [{ resourceClaimName: "", containers: [], resources: {} }],
        containerStatuses: [
          container({}, { volumeMounts: [{ name: "v", mountPath: "/a", volumeStatus: { image: { imageRef: "x" } } }] }),
        ],
      }),
      "a resize": report({
        resize: "Deferred",
        resources: { requests: { cpu: "1000m" } },
        allocatedResources: { cpu: "0.5" },
      }),
      "devices of no claim": report({ extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: "" } }),
      "devices of nobody": report({
        extendedResourceClaimStatus: {
          requestMappings: [
            { containerName: "main", resourceName: "example.test/a", requestName: "R" },
            { containerName: "x", resourceName: "y", requestName: "r" },
          ],
          resourceClaimName: "X_",
        },
      }),
      "a phase that is none": report({ phase: "Nonsense" }),
      "another quality": report({ qosClass: "Guaranteed" }),
      "no quality": report({ qosClass: null }),
      "a nomination": report({ nominatedNodeName: "n" }),
      "a nomination that is none": report({ nominatedNodeName: "N_" }),
      "claims that are not there": report({
        resourceClaimStatuses: [{ name: "x", resourceClaimName: "X_" }, { name: "x" }],
      }),
      "users that are none": report({
        containerStatuses: [container({}, { user: { linux: { uid: -1, gid: -1, supplementalGroups: [-1] } } })],
      }),
      "health of nothing": report({
        containerStatuses: [
          container(
            {},
            { allocatedResourcesStatus: [{ name: "x", resources: [{ resourceID: "1", health: "Fine" }] }] },
          ),
        ],
      }),
      "the spec": patch(`${path}/status`, mergePatch, {
        spec: { hostname: "h" },
        metadata: { labels: { a: "b" }, ownerReferences: [] },
      }),
      "all of it again": update(`${path}/status`, { ...pod("a"), status: { phase: "Running" } }),
    },
    [create(pods, pod("a"))],
  ),
  ...["Always", "OnFailure", "Never"].flatMap((restartPolicy) =>
    rows(
      `a container that ended, of a Pod that restarts ${restartPolicy}`,
      {
        "it runs again": [report({ containerStatuses: [ended(0)] }), report({ containerStatuses: [running] })],
        "it runs again after a failure": [
          report({ containerStatuses: [ended(1)] }),
          report({ containerStatuses: [running] }),
        ],
      },
      [create(pods, pod("a", {}, { restartPolicy }))],
    ),
  ),
  ...rows("a bound Pod", {
    "that is going": [
      create(pods, pod("a", {}, { nodeName: "n" })),
      remove(path, { gracePeriodSeconds: 5 }),
      merged({}, { labels: { a: "b" } }),
      update(`${path}/status`, pod("a")),
    ],
    "a nomination": [create(pods, pod("a", {}, { nodeName: "n" })), report({ nominatedNodeName: "m" })],
  }),
];

const debugging = (...ephemeralContainers: readonly Fields[]) =>
  patch(`${path}/ephemeralcontainers`, strategicPatch, { spec: { ephemeralContainers } });

export const ephemeralContainers: readonly Sequence[] = rows(
  "containers to look into a Pod",
  {
    one: debugging({ name: "debug", image }),
    "one for another": debugging({ name: "debug", image, targetContainerName: "main" }),
    "one for nobody": debugging({ name: "debug", image, targetContainerName: "nobody" }),
    "one that has the name of another": debugging({ name: "main", image }),
    "one without an image": debugging({ name: "debug" }),
    "one that has too much": debugging({
      name: "debug",
      image,
      ports: [{ containerPort: 80 }],
      resources: { limits: { cpu: "1" } },
    }),
    "one after the other": [debugging({ name: "one", image }), debugging({ name: "two", image })],
    "one that changes": [
      debugging({ name: "debug", image }),
      debugging({ name: "debug", image: "other", stdin: true }),
    ],
    "one that goes": [
      debugging({ name: "debug", image }),
      patch(`${path}/ephemeralcontainers`, mergePatch, { spec: { ephemeralContainers: null } }),
    ],
    "and something else": patch(`${path}/ephemeralcontainers`, strategicPatch, {
      metadata: { labels: { a: "b" } },
      spec: { hostname: "h", ephemeralContainers: [{ name: "debug", image }] },
    }),
    "asked for": get(`${path}/ephemeralcontainers`),
  },
  [create(pods, pod("a"))],
);

const resizing = (...containers: readonly Fields[]) =>
  patch(`${path}/resize`, strategicPatch, {
    spec: { containers: containers.map((each) => ({ name: "main", ...each })) },
  });
const amounts = (limits: Fields, requests?: Fields) => ({ resources: { limits, ...(requests && { requests }) } });
const sized = pod(
  "a",
  {},
  {
    containers: [{ name: "main", image, ...amounts({ cpu: "2", memory: "1Gi" }, { cpu: "1", memory: "1Gi" }) }],
    initContainers: [
      { name: "first", image, ...amounts({ cpu: "1" }) },
      { name: "side", image, restartPolicy: "Always", ...amounts({ cpu: "1" }) },
    ],
  },
);

export const resizes: readonly Sequence[] = rows(
  "a Pod that is resized",
  {
    more: resizing(amounts({ cpu: "3" }, { cpu: "2" })),
    nothing: resizing({}),
    "more asked for than allowed": resizing(amounts({ cpu: "1" }, { cpu: "2" })),
    "another quality": resizing(amounts({ cpu: "2", memory: "1Gi" }, { cpu: "2", memory: "1Gi" })),
    "less of it": patch(`${path}/resize`, jsonPatch, [
      { op: "remove", path: "/spec/containers/0/resources/requests/memory" },
    ]),
    "of another kind": resizing(amounts({ "ephemeral-storage": "1Gi" })),
    "how it is resized": resizing({ resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] }),
    "and its image": resizing({ image: "other", ...amounts({ cpu: "3" }) }),
    "a container more": resizing({ name: "other", image }),
    "a container of another name": patch(`${path}/resize`, jsonPatch, [
      { op: "replace", path: "/spec/containers/0/name", value: "x" },
    ]),
    "an init container": patch(`${path}/resize`, strategicPatch, {
      spec: { initContainers: [{ name: "first", ...amounts({ cpu: "2" }) }] },
    }),
    "a sidecar": patch(`${path}/resize`, strategicPatch, {
      spec: { initContainers: [{ name: "side", ...amounts({ cpu: "2" }) }] },
    }),
    "as a whole": patch(`${path}/resize`, mergePatch, {
      spec: { resources: { limits: { cpu: "9", memory: "9Gi" }, requests: { cpu: "9" } } },
    }),
    "and its labels": patch(`${path}/resize`, mergePatch, {
      metadata: { labels: { a: "b" } },
      spec: { hostname: "h" },
    }),
    "asked for": get(`${path}/resize`),
  },
  [create(pods, sized)],
);

export const applies: readonly Sequence[] = rows("a Pod that is applied", {
  once: apply(path, pod("a")),
  "again with another image": [
    apply(path, pod("a")),
    apply(path, pod("a", {}, { containers: [{ name: "main", image: "example.test/app:2" }] })),
  ],
  "again with another name of the host": [apply(path, pod("a")), apply(path, pod("a", {}, { hostname: "h" }))],
  "by somebody else": [
    apply(path, pod("a")),
    apply(path, pod("a", {}, { containers: [{ name: "main", image: "x" }] }), { manager: "bob" }),
    apply(path, pod("a", {}, { containers: [{ name: "main", image: "x" }] }), { manager: "bob", force: true }),
  ],
  "with its status": [
    apply(path, pod("a")),
    apply(`${path}/status`, { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, status: { phase: "Running" } }),
  ],
  "with nothing": apply(path, { apiVersion: "v1", kind: "Pod", metadata: { name: "a" } }),
});

const templates = "/api/v1/namespaces/{ns}/podtemplates";
const template = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "PodTemplate",
  metadata: { name: "t" },
  template: {
    metadata: { labels: { app: "x" }, ...metadata },
    spec: { containers: [{ name: "main", image }], ...spec },
  },
});

export const podTemplates: readonly Sequence[] = rows("a template of Pods", {
  "its defaults": create(templates, template()),
  "limits only": create(templates, template({ containers: [{ name: "main", image, ...amounts({ cpu: "1000m" }) }] })),
  "the host's network": create(
    templates,
    template({ hostNetwork: true, containers: [{ name: "main", image, ports: [{ containerPort: 80 }] }] }),
  ),
  "a negative time to end": create(templates, template({ terminationGracePeriodSeconds: -1 })),
  "an image with a space": create(templates, template({ containers: [{ name: "main", image: " " }] })),
  "an image of a volume that comes later": create(templates, template({ volumes: [{ name: "v", image: {} }] })),
  nothing: create(templates, { metadata: { name: "t" } }),
  "labels that are none": create(templates, template({}, { labels: { "a b": "c d" }, annotations: { "e f": "g" } })),
  "ephemeral containers": create(templates, template({ ephemeralContainers: [{ name: "debug", image }] })),
  "an old annotation": create(
    templates,
    template({}, { annotations: { "container.apparmor.security.beta.kubernetes.io/main": "unconfined" } }),
  ),
  "a change": [
    create(templates, template()),
    patch(`${templates}/t`, mergePatch, { template: { spec: { hostname: "h" } } }),
    patch(`${templates}/t`, mergePatch, { metadata: { labels: { a: "b" } } }),
    patch(`${templates}/t`, mergePatch, { template: { spec: { restartPolicy: "Sometimes" } } }),
  ],
  "another way of labels of SELinux": [
    create(templates, template({ securityContext: { seLinuxChangePolicy: "Recursive" } })),
    patch(`${templates}/t`, mergePatch, {
      template: { spec: { securityContext: { seLinuxChangePolicy: "MountOption" } } },
    }),
  ],
});
