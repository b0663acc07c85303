import { create, type Fields, pod, pods, rows } from "../builders.ts";
import type { Sequence } from "../sequence.ts";

/** Containers of Pods: what they are given, and what is wrong with them. */

const image = "example.test/app:1";

const containing = (container: Fields, spec: Fields = {}) =>
  create(pods, pod("a", {}, { containers: [{ name: "main", image, ...container }], ...spec }));

const volumes = [
  { name: "scratch", emptyDir: {} },
  { name: "claimed", persistentVolumeClaim: { claimName: "data" } },
];

const all = (what: string, table: Readonly<Record<string, Fields>>, spec: Fields = {}) =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, container]) => [name, containing(container, spec)])));

export const names: readonly Sequence[] = all("a container's name and image", {
  "no name": { name: "" },
  "capital letters": { name: "Main" },
  dots: { name: "main.part" },
  "a long name": { name: "m".repeat(64) },
  "no image": { image: "" },
  "an image with a space": { image: " app" },
  "an image without a tag": { image: "example.test/app" },
  "the latest image": { image: "example.test/app:latest" },
  "an image by its digest": { image: `example.test/app@sha256:${"a".repeat(64)}` },
  "a tag and a digest": { image: `example.test/app:latest@sha256:${"a".repeat(64)}` },
  "an image of a port": { image: "example.test:5000/app" },
  "an image that is none": { image: "Example Test" },
  "a pull policy that is none": { imagePullPolicy: "Sometimes" },
  "a message policy that is none": { terminationMessagePolicy: "Mail" },
  "empty texts and false": { workingDir: "", stdin: false, tty: false, command: [], terminationMessagePath: "" },
});

export const severalContainers: readonly Sequence[] = rows("several containers", {
  none: create(pods, pod("a", {}, { containers: [] })),
  "no list of them": create(pods, { metadata: { name: "a" }, spec: {} }),
  "the same name twice": create(
    pods,
    pod("a", {}, { containers: [1, 2].map((tag) => ({ name: "main", image: `example.test/app:${tag}` })) }),
  ),
  "an init container of the same name": create(pods, pod("a", {}, { initContainers: [{ name: "main", image }] })),
  "ephemeral ones": create(pods, pod("a", {}, { ephemeralContainers: [{ name: "debug", image }] })),
  "ephemeral ones that have too much": create(
    pods,
    pod(
      "a",
      {},
      {
        volumes,
        ephemeralContainers: [
          {
            name: "main",
            image: " x",
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: "1" } },
            restartPolicy: "Always",
            livenessProbe: { exec: { command: ["true"] } },
            lifecycle: { preStop: { exec: { command: ["true"] } } },
            targetContainerName: "nobody",
            volumeMounts: [{ name: "scratch", mountPath: "/a", subPath: "b" }],
          },
        ],
      },
    ),
  ),
});

export const forms: readonly Sequence[] = [
  ...all("values of a container that are no such", {
    "a number for a name": { name: 5 },
    "a text for a port": { ports: [{ containerPort: "80" }] },
    "a number for a variable": { env: [{ name: "a", value: 5 }] },
    "an object for a list": { args: { a: "b" } },
  }),
  ...rows("values that are null", {
    "in lists": create(
      pods,
      pod(
        "a",
        {},
        {
          containers: [{ name: "a", image, env: null, ports: [null] }],
          volumes: [null, { name: "v", emptyDir: null }],
        },
      ),
    ),
    "a port that is left out": containing({ livenessProbe: { tcpSocket: {} } }),
  }),
];

export const ports: readonly Sequence[] = all("ports", {
  "what a port is given": { ports: [{ containerPort: 80 }] },
  "no number": { ports: [{ name: "web" }] },
  "a number that is too large": { ports: [{ containerPort: 70_000, hostPort: 70_000 }] },
  "a negative number": { ports: [{ containerPort: -1 }] },
  "a protocol that is none": { ports: [{ containerPort: 80, protocol: "tcp" }] },
  "a name twice": {
    ports: [
      { name: "web", containerPort: 80 },
      { name: "web", containerPort: 81 },
    ],
  },
  "a long name": { ports: [{ name: "a-very-long-name-of-a-port", containerPort: 80 }] },
  "a name of digits": { ports: [{ name: "80", containerPort: 80 }] },
  "a name of capitals and hyphens": { ports: [{ name: "-Web--", containerPort: 80 }] },
  "a host's port twice": {
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 80 },
    ],
  },
  "a host's address without a port": { ports: [{ containerPort: 80, hostIP: "10.0.0.1" }] },
});

export const hostNetwork: readonly Sequence[] = all(
  "ports on the host's network",
  {
    "they are the host's": { ports: [{ containerPort: 80 }] },
    "another port of the host": { ports: [{ containerPort: 80, hostPort: 81 }] },
  },
  { hostNetwork: true },
);

const fromField = (fieldPath: string, apiVersion?: string) => ({
  env: [{ name: "A", valueFrom: { fieldRef: { fieldPath, ...(apiVersion !== undefined && { apiVersion }) } } }],
});
const fromResource = (resource: string, divisor?: string) => ({
  env: [{ name: "A", valueFrom: { resourceFieldRef: { resource, ...(divisor !== undefined && { divisor }) } } }],
});
const fromSource = (valueFrom: Fields, more: Fields = {}) => ({ env: [{ name: "A", valueFrom, ...more }] });

export const environment: readonly Sequence[] = all(
  "the environment",
  {
    "no name": { env: [{ value: "1" }] },
    "a name with a sign": { env: [{ name: "A=B", value: "1" }] },
    "a name with a space": { env: [{ name: "A B", value: "1" }] },
    "a name beyond ASCII": { env: [{ name: "Ä", value: "1" }] },
    "an empty value": { env: [{ name: "A", value: "" }] },
    "the same name twice": {
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "2" },
      ],
    },
    "the same name twice, added to": {
      env: [
        { name: "A", value: "1" },
        { name: "A", value: "$(A)2" },
      ],
    },
    "a field": fromField("metadata.name"),
    "a label": fromField("metadata.labels['app']"),
    "a label that is none": fromField("metadata.labels['a/b/c']"),
    "an annotation": fromField("metadata.annotations['Example.test/A']"),
    "a field that cannot be used": fromField("status.phase"),
    "all labels": fromField("metadata.labels"),
    "a field that is none": fromField("spec.nothing"),
    "a key of what has none": fromField("metadata.name['a']"),
    "no field": fromField(""),
    "a field of another version": fromField("metadata.name", "v2"),
    "the old name of a field": fromField("spec.host"),
    "a resource": fromResource("limits.cpu"),
    "a resource in parts": fromResource("limits.cpu", "1m"),
    "a resource in other parts": fromResource("limits.cpu", "2"),
    "memory in parts": fromResource("limits.memory", "1Mi"),
    "memory in other parts": fromResource("limits.memory", "3Mi"),
    "storage in other parts": fromResource("requests.ephemeral-storage", "3Mi"),
    "large pages in other parts": fromResource("requests.hugepages-2Mi", "3Mi"),
    "a resource that is none": fromResource("limits.nothing"),
    "no resource": fromResource(""),
    "a key of a map": fromSource({ configMapKeyRef: { name: "m", key: "a" } }),
    "a key of nothing": fromSource({ configMapKeyRef: { key: "a" } }),
    "no key": fromSource({ configMapKeyRef: { name: "m" } }),
    "a key that is none": fromSource({ secretKeyRef: { name: "M_", key: "a/b" } }),
    "a key of dots": fromSource({ secretKeyRef: { name: "m", key: ".." } }),
    "no source": fromSource({}),
    "two sources": fromSource({ configMapKeyRef: { name: "m", key: "a" }, secretKeyRef: { name: "m", key: "a" } }),
    "a source and a value": fromSource({ configMapKeyRef: { name: "m", key: "a" } }, { value: "1" }),
    "a file": fromSource({ fileKeyRef: { volumeName: "scratch", path: "env", key: "A" } }),
    "a file of nothing": fromSource({ fileKeyRef: { volumeName: "nothing", path: "env", key: "A" } }),
    "a file of a claim": fromSource({ fileKeyRef: { volumeName: "claimed", path: "env", key: "A" } }),
    "a file without all": fromSource({ fileKeyRef: { volumeName: "", path: "", key: "" } }),
    "a file above": fromSource({ fileKeyRef: { volumeName: "scratch", path: "../env", key: "A=" } }),
    "all of a map": {
      envFrom: [{ prefix: "P_", configMapRef: { name: "m" } }, { secretRef: { name: "s", optional: true } }],
    },
    "all of nothing": { envFrom: [{}] },
    "all of two": { envFrom: [{ configMapRef: { name: "m" }, secretRef: { name: "s" } }] },
    "all of no name": { envFrom: [{ configMapRef: {} }, { secretRef: { name: "S" } }] },
    "a prefix that is none": { envFrom: [{ prefix: "=", configMapRef: { name: "m-" } }] },
  },
  { volumes },
);

const mount = (more: Fields) => ({ volumeMounts: [{ name: "scratch", mountPath: "/a", ...more }] });
const device = (more: Fields) => ({ volumeDevices: [{ name: "claimed", devicePath: "/dev/a", ...more }] });

export const mounts: readonly Sequence[] = all(
  "mounts and devices",
  {
    "a mount": mount({}),
    "no name": mount({ name: "" }),
    "a volume that is not there": mount({ name: "nothing" }),
    "no path": mount({ mountPath: "" }),
    "a path twice": { volumeMounts: [1, 2].map(() => ({ name: "scratch", mountPath: "/a" })) },
    "a part": mount({ subPath: "b/c", readOnly: false }),
    "an absolute part": mount({ subPath: "/b" }),
    "a part above": mount({ subPath: "b/../c" }),
    "a part twice": mount({ subPath: "b", subPathExpr: "$(A)" }),
    "an absolute expression above": mount({ subPathExpr: "/b/.." }),
    "propagation to the container": mount({ mountPropagation: "HostToContainer" }),
    "propagation both ways": mount({ mountPropagation: "Bidirectional" }),
    "propagation both ways, privileged": {
      ...mount({ mountPropagation: "Bidirectional" }),
      securityContext: { privileged: true },
    },
    "propagation that is none": mount({ mountPropagation: "Both" }),
    "read only all the way": mount({ recursiveReadOnly: "Enabled", readOnly: true }),
    "read only all the way, and not": mount({ recursiveReadOnly: "Enabled", mountPropagation: "HostToContainer" }),
    "read only in a way that is none": mount({ recursiveReadOnly: "Yes" }),
    "a device": device({}),
    "a device of a directory": device({ name: "scratch" }),
    "a device of nothing": device({ name: "nothing" }),
    "a device without a name and a path": device({ name: "", devicePath: "" }),
    "a device above": device({ devicePath: "/dev/../a" }),
    "a device twice": { volumeDevices: [1, 2].map(() => ({ name: "claimed", devicePath: "/dev/a" })) },
    "a device that is mounted": {
      ...device({}),
      volumeMounts: [{ name: "claimed", mountPath: "/dev/a" }],
    },
  },
  { volumes },
);

const probe = (more: Fields) => ({ livenessProbe: { exec: { command: ["true"] }, ...more } });
const httpGet = (more: Fields) => ({ livenessProbe: { httpGet: { port: 80, ...more } } });

export const probes: readonly Sequence[] = all("probes and hooks", {
  "a command": probe({}),
  zeros: probe({
    initialDelaySeconds: 0,
    timeoutSeconds: 0,
    periodSeconds: 0,
    successThreshold: 0,
    failureThreshold: 0,
  }),
  "no command": probe({ exec: {} }),
  "no handler": { livenessProbe: {} },
  "two handlers": probe({ tcpSocket: { port: 80 } }),
  "negative times": probe({
    initialDelaySeconds: -1,
    timeoutSeconds: -1,
    periodSeconds: -1,
    failureThreshold: -1,
    terminationGracePeriodSeconds: 0,
  }),
  "seen alive twice": probe({ successThreshold: 2 }),
  "started twice": { startupProbe: { tcpSocket: { port: "web" }, successThreshold: 2 } },
  "ready with a time to end": { readinessProbe: { tcpSocket: { port: 80 }, terminationGracePeriodSeconds: 3 } },
  "ready twice": { readinessProbe: { tcpSocket: { port: 80 }, successThreshold: 2 } },
  "a request": httpGet({}),
  "a request with headers": httpGet({
    httpHeaders: [
      { name: "X-A", value: "1" },
      { name: "X A", value: "" },
    ],
    scheme: "HTTPS",
  }),
  "a request by another scheme": httpGet({ scheme: "FTP" }),
  "a request to no port": httpGet({ port: 0 }),
  "a request to a name that is none": httpGet({ port: "" }),
  "a call": { livenessProbe: { grpc: { port: 80 } } },
  "a call to a service": { livenessProbe: { grpc: { port: 80, service: "a" } } },
  "a call to no port": { livenessProbe: { grpc: { port: 0 } } },
  "a hook": { lifecycle: { postStart: { httpGet: { port: 80 } }, preStop: { sleep: { seconds: 5 } } } },
  "a hook that sleeps too long": { lifecycle: { preStop: { sleep: { seconds: 31 } } } },
  "a hook that sleeps no time": { lifecycle: { preStop: { sleep: { seconds: 0 } } } },
  "a hook that does nothing": { lifecycle: { preStop: {} } },
  "a signal": { lifecycle: { stopSignal: "SIGTERM" } },
});

const resources = (limits?: Fields, requests?: Fields, more: Fields = {}) => ({
  resources: { ...(limits && { limits }), ...(requests && { requests }), ...more },
});

export const containerResources: readonly Sequence[] = all("resources", {
  "limits only": resources({ cpu: "1", memory: "1Gi" }),
  "limits and some requests": resources({ cpu: "1", memory: "1Gi" }, { cpu: "500m" }),
  "requests only": resources(undefined, { cpu: 0.5 }),
  "other ways of writing": resources({ cpu: "1000m", memory: "1024Mi" }, { cpu: "0.0001", memory: "1e9" }),
  "too much asked for": resources({ cpu: "1" }, { cpu: "2" }),
  "less than nothing": resources({ cpu: "-1" }),
  "parts of a byte": resources({ memory: "100m" }),
  "no amount": resources({ cpu: "much" }),
  "a name that is none": resources({ "a b": "1" }),
  "a name of no standard": resources({ gpu: "1" }),
  "a name that is for others": resources({ pods: "1" }),
  "a device": resources({ "example.test/gpu": "1" }),
  "a device that is asked for only": resources(undefined, { "example.test/gpu": "1" }),
  "a part of a device": resources({ "example.test/gpu": "500m" }),
  "another number of devices": resources({ "example.test/gpu": "2" }, { "example.test/gpu": "1" }),
  "a name of requests": resources({ "requests.example.test/gpu": "1" }),
  "a name of Kubernetes": resources({ "kubernetes.io/thing": "1" }),
  "large pages": resources({ "hugepages-2Mi": "4Mi", memory: "1Gi" }),
  "large pages alone": resources({ "hugepages-2Mi": "4Mi" }),
  "half a large page": resources({ "hugepages-2Mi": "3Mi", memory: "1Gi" }),
  "large pages of no size": resources({ "hugepages-": "3Mi", memory: "1Gi" }),
  storage: resources({ "ephemeral-storage": "1Gi" }),
  "claims that are not there": resources(undefined, undefined, { claims: [{ name: "a" }, { name: "" }] }),
  nothing: resources({}, {}),
});

export const claims: readonly Sequence[] = [
  ...all(
    "claims of resources",
    {
      "one of them": { resources: { claims: [{ name: "a" }] } },
      another: { resources: { claims: [{ name: "c" }] } },
      "one twice": { resources: { claims: [{ name: "a" }, { name: "a" }] } },
      "a part and all of it": { resources: { claims: [{ name: "a", request: "r" }, { name: "a" }] } },
      "a part twice": {
        resources: {
          claims: [
            { name: "a", request: "R" },
            { name: "a", request: "R" },
          ],
        },
      },
    },
    {
      resourceClaims: [
        { name: "a", resourceClaimName: "x" },
        { name: "b", resourceClaimTemplateName: "x" },
      ],
    },
  ),
  ...rows("claims of a Pod", {
    "without a name": create(pods, pod("a", {}, { resourceClaims: [{ resourceClaimName: "x" }] })),
    "of the same name": create(
      pods,
      pod("a", {}, { resourceClaims: [1, 2].map(() => ({ name: "a", resourceClaimName: "x" })) }),
    ),
    "of nothing": create(pods, pod("a", {}, { resourceClaims: [{ name: "A_" }] })),
    "of both": create(
      pods,
      pod("a", {}, { resourceClaims: [{ name: "a", resourceClaimName: "X_", resourceClaimTemplateName: "y" }] }),
    ),
  }),
];

export const podResources: readonly Sequence[] = [
  ...all(
    "resources of a Pod",
    {
      "containers ask for less": resources(undefined, { cpu: "500m" }),
      "containers ask for more": resources(undefined, { cpu: "2" }),
      "containers may have more": resources({ cpu: "3" }, { cpu: "1" }),
      "containers say nothing": {},
    },
    { resources: { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "1" } } },
  ),
  ...rows(
    "resources of a Pod",
    Object.fromEntries(
      Object.entries({
        "limits only": { limits: { cpu: "2" } },
        "both the same": { limits: { cpu: "2", memory: "1Gi" }, requests: { cpu: "2", memory: "1Gi" } },
        claims: { claims: [{ name: "a" }] },
        "of another kind": { limits: { "ephemeral-storage": "1Gi" } },
        "more asked for than allowed": { limits: { cpu: "1" }, requests: { cpu: "2" } },
        nothing: {},
      }).map(([name, whole]) => [name, create(pods, pod("a", {}, { resources: whole }))]),
    ),
  ),
];

const resizePolicy = (resourceName: string, restartPolicy: string) => ({
  resizePolicy: [{ resourceName, restartPolicy }],
});
const rule = (exitCodes?: Fields, action = "Restart") => ({
  restartPolicy: "Never",
  restartPolicyRules: [{ action, ...(exitCodes && { exitCodes }) }],
});

export const restarts: readonly Sequence[] = [
  ...all("restarts and resizes", {
    "a policy of its own": { restartPolicy: "OnFailure" },
    "a policy that is none": { restartPolicy: "Sometimes" },
    "rules without a policy": {
      restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }],
    },
    "a rule": rule({ operator: "In", values: [1, 2] }),
    "a rule of no codes": rule(),
    "a rule of a kind that is none": rule({ operator: "Is", values: [1] }, "Stop"),
    "a rule for all": rule({ operator: "NotIn", values: [0] }, "RestartAllContainers"),
    "many rules": {
      restartPolicy: "Never",
      restartPolicyRules: Array.from({ length: 21 }, (_, code) => ({
        action: "Restart",
        exitCodes: { operator: "In", values: [code] },
      })),
    },
    "a resize": resizePolicy("cpu", "NotRequired"),
    "a resize of another kind": resizePolicy("storage", "Sometimes"),
    "a resize of nothing": resizePolicy("", ""),
    "a resize twice": { resizePolicy: [1, 2].map(() => ({ resourceName: "cpu", restartPolicy: "NotRequired" })) },
  }),
  ...all(
    "a Pod that never restarts",
    { "a resize": resizePolicy("cpu", "RestartContainer") },
    { restartPolicy: "Never" },
  ),
];

const init = (more: Fields) => ({ initContainers: [{ name: "first", image, ...more }] });

export const initContainers: readonly Sequence[] = rows(
  "init containers",
  Object.fromEntries(
    Object.entries({
      plain: init({}),
      "with a probe": init({
        livenessProbe: { exec: { command: ["true"] } },
        lifecycle: { preStop: { sleep: { seconds: 1 } } },
      }),
      "a sidecar": init({
        restartPolicy: "Always",
        startupProbe: { exec: { command: ["true"] } },
        ports: [{ containerPort: 80 }],
      }),
      "a sidecar with a wrong probe": init({ restartPolicy: "Always", readinessProbe: {} }),
      "another policy": init({ restartPolicy: "Never" }),
      "no such policy": init({ restartPolicy: "Sometimes" }),
      "rules only": init({ restartPolicyRules: [{ action: "Restart", exitCodes: { operator: "In", values: [1] } }] }),
      "a resize that restarts": init(resizePolicy("cpu", "RestartContainer")),
      "ports of the host twice": init({ ports: [1, 2].map((port) => ({ containerPort: port, hostPort: 1 })) }),
      resources: init(resources({ cpu: "2" })),
    }).map(([name, spec]) => [name, create(pods, pod("a", {}, spec))]),
  ),
);
