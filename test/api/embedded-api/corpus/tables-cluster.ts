import { create, get, patch } from "../builders.ts";
import type { Sequence } from "../sequence.ts";
import { type Shown, shown, table } from "../table-builders.ts";

const core = "/api/v1/namespaces/{ns}";
const networking = "/apis/networking.k8s.io/v1";
const long = "2020-05-01T10:00:00Z";
const precise = "2020-05-01T10:00:00.000000Z";

const cluster: readonly Shown[] = [
  {
    kind: "Secret",
    apiVersion: "v1",
    path: `${core}/secrets`,
    rows: {
      opaque: { data: { a: "MQ==", b: "Mg==" } },
      "of a type": { type: "example.test/t", stringData: { c: "x" } },
    },
  },
  {
    kind: "ConfigMap",
    apiVersion: "v1",
    path: `${core}/configmaps`,
    rows: { "of both": { data: { a: "1" }, binaryData: { b: "Mg==" } }, empty: {} },
  },
  { kind: "ServiceAccount", apiVersion: "v1", path: `${core}/serviceaccounts`, rows: { plain: {} } },
  {
    kind: "LimitRange",
    apiVersion: "v1",
    path: `${core}/limitranges`,
    rows: { plain: { spec: { limits: [{ type: "Container", max: { cpu: "1" } }] } } },
  },
  {
    kind: "ResourceQuota",
    apiVersion: "v1",
    path: `${core}/resourcequotas`,
    rows: {
      "unknown yet": { spec: { hard: { pods: "5" } } },
      "with a status": {
        spec: { hard: { pods: "5", "requests.cpu": "2", "limits.cpu": "4", "limits.memory": "1Gi" } },
        status: {
          hard: { pods: "5", "requests.cpu": "2000m", "limits.cpu": "4", "limits.memory": "1024Mi" },
          used: { pods: "1", "requests.cpu": "500m", "limits.cpu": "0" },
        },
      },
    },
  },
  {
    kind: "Node",
    apiVersion: "v1",
    path: "/api/v1/nodes",
    rows: {
      "new": { metadata: { name: "{id}" } },
      ready: {
        metadata: {
          labels: {
            "node-role.kubernetes.io/worker": "",
            "node-role.kubernetes.io/control-plane": "",
            "node-role.kubernetes.io/": "",
            "kubernetes.io/role": "edge",
          },
        },
        status: {
          conditions: [{ type: "Ready", status: "True" }],
          addresses: [
            { type: "Hostname", address: "h" },
            { type: "InternalIP", address: "10.1.0.1" },
            { type: "InternalIP", address: "fd00::1" },
            { type: "ExternalIP", address: "192.0.2.1" },
          ],
          nodeInfo: {
            kubeletVersion: "v1.36.3",
            osImage: "Some Linux",
            kernelVersion: "6.1",
            containerRuntimeVersion: "containerd://2",
            architecture: "arm64",
          },
        },
      },
      "not ready, closed": {
        spec: { unschedulable: true },
        status: {
          conditions: [
            { type: "DiskPressure", status: "False" },
            { type: "Ready", status: "Unknown" },
          ],
        },
      },
    },
  },
  {
    kind: "Event",
    apiVersion: "v1",
    path: `${core}/events`,
    rows: {
      "of old": {
        metadata: { namespace: "{ns}" },
        involvedObject: { kind: "Pod", namespace: "{ns}", name: "p", fieldPath: "spec.containers{x}" },
        type: "Warning",
        reason: "Failed",
        message: " it failed \n",
        count: 3,
        firstTimestamp: long,
        lastTimestamp: "2021-05-01T10:00:00Z",
        source: { component: "kubelet", host: "n" },
      },
      "of new": {
        involvedObject: { kind: "Pod", namespace: "{ns}", name: "p" },
        type: "Normal",
        reason: "Done",
        action: "Doing",
        message: "done",
        eventTime: precise,
        reportingComponent: "example.test/c",
        reportingInstance: "i",
      },
      "in series": {
        involvedObject: { kind: "Pod", namespace: "{ns}", name: "p" },
        type: "Normal",
        reason: "Done",
        action: "Doing",
        eventTime: precise,
        series: { count: 9, lastObservedTime: "2021-05-01T10:00:00.000000Z" },
        reportingComponent: "example.test/c",
        reportingInstance: "i",
      },
      "of nothing": { involvedObject: { namespace: "{ns}" } },
    },
  },
  {
    kind: "Event",
    apiVersion: "events.k8s.io/v1",
    path: "/apis/events.k8s.io/v1/namespaces/{ns}/events",
    rows: {
      "of the other group": {
        regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
        type: "Normal",
        reason: "Done",
        action: "Doing",
        note: "done so",
        eventTime: precise,
        reportingController: "example.test/c",
        reportingInstance: "i",
      },
    },
  },
  {
    kind: "Lease",
    apiVersion: "coordination.k8s.io/v1",
    path: "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    rows: { "of nobody": { spec: {} }, held: { spec: { holderIdentity: "me", leaseDurationSeconds: 15 } } },
  },
  {
    kind: "PriorityClass",
    apiVersion: "scheduling.k8s.io/v1",
    path: "/apis/scheduling.k8s.io/v1/priorityclasses",
    rows: { plain: { value: 7 }, "that waits": { value: -5, preemptionPolicy: "Never" } },
  },
  {
    kind: "RuntimeClass",
    apiVersion: "node.k8s.io/v1",
    path: "/apis/node.k8s.io/v1/runtimeclasses",
    rows: { plain: { handler: "runsc" } },
  },
];

const backend = { service: { name: "s", port: { number: 80 } } };
const rule = (host?: string) => ({
  ...(host !== undefined && { host }),
  http: { paths: [{ path: "/", pathType: "Prefix", backend }] },
});
const port = (number: number, more: object = {}) => ({ port: number, protocol: "TCP", ...more });

const network: readonly Shown[] = [
  {
    kind: "Service",
    apiVersion: "v1",
    path: `${core}/services`,
    rows: {
      headless: {
        spec: { clusterIP: "None", ports: [port(80, { name: "a" }), port(53, { name: "b", protocol: "UDP" })] },
      },
      "headless, selecting": { spec: { clusterIP: "None", selector: { b: "2", a: "1" }, ports: [port(80)] } },
      "headless, without ports": { spec: { clusterIP: "None" } },
      "by a name": { spec: { type: "ExternalName", externalName: "x.test" } },
      "reached from outside": {
        spec: { clusterIP: "None", externalIPs: ["192.0.2.2", "192.0.2.1"], ports: [port(80)] },
      },
    },
  },
  {
    kind: "Endpoints",
    apiVersion: "v1",
    path: `${core}/endpoints`,
    rows: {
      none: {},
      "with ports": {
        subsets: [
          {
            addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }, { ip: "fd00::1" }],
            ports: [port(80, { name: "a" }), port(81, { name: "b" })],
          },
        ],
      },
      "without ports": { subsets: [{ addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }] }] },
      "not ready": { subsets: [{ notReadyAddresses: [{ ip: "10.0.0.1" }], ports: [port(80)] }] },
    },
  },
  {
    kind: "EndpointSlice",
    apiVersion: "discovery.k8s.io/v1",
    path: "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    rows: {
      none: { addressType: "IPv4", endpoints: [], ports: [] },
      some: {
        addressType: "IPv4",
        endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }],
        ports: [port(80, { name: "a" }), { name: "b" }],
      },
      many: {
        addressType: "IPv4",
        endpoints: ["1", "2", "3", "4", "5"].map((last) => ({ addresses: [`10.0.0.${last}`] })),
        ports: ["a", "b", "c", "d"].map((name, index) => port(80 + index, { name })),
      },
    },
  },
  {
    kind: "Ingress",
    apiVersion: "networking.k8s.io/v1",
    path: `${networking}/namespaces/{ns}/ingresses`,
    rows: {
      "of everything": { spec: { defaultBackend: backend } },
      "of hosts": {
        spec: { ingressClassName: "c", rules: ["a.test", "b.test"].map(rule), tls: [{ hosts: ["a.test"] }] },
        status: { loadBalancer: { ingress: [{ ip: "192.0.2.9" }, { hostname: "lb.test" }, { ip: "192.0.2.9" }] } },
      },
      "of many hosts": { spec: { rules: ["a.test", "b.test", undefined, "c.test", "d.test"].map(rule) } },
      "of any host": { spec: { rules: [rule()] } },
    },
  },
  {
    kind: "IngressClass",
    apiVersion: "networking.k8s.io/v1",
    path: `${networking}/ingressclasses`,
    rows: {
      plain: { spec: { controller: "example.test/c" } },
      "with parameters": {
        spec: {
          controller: "example.test/c",
          parameters: { apiGroup: "k.test", kind: "P", name: "p", scope: "Cluster" },
        },
      },
      "with parameters of the core": {
        spec: {
          controller: "example.test/c",
          parameters: { kind: "ConfigMap", name: "p", scope: "Namespace", namespace: "n" },
        },
      },
    },
  },
  {
    kind: "NetworkPolicy",
    apiVersion: "networking.k8s.io/v1",
    path: `${networking}/namespaces/{ns}/networkpolicies`,
    rows: {
      "of all": { spec: { podSelector: {} } },
      "of some": { spec: { podSelector: { matchLabels: { b: "2", a: "1" } } } },
    },
  },
];

export const clusterTables: readonly Sequence[] = cluster.flatMap(shown);
export const networkTables: readonly Sequence[] = network.flatMap(shown);

const classes = "/apis/storage.k8s.io/v1/storageclasses";
const isDefault = { "storageclass.kubernetes.io/is-default-class": "true" };
const deployments = "/apis/apps/v1/namespaces/{ns}/deployments";
const scaled = {
  metadata: { name: "a" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { a: "1" } },
    template: { metadata: { labels: { a: "1" } }, spec: { containers: [{ name: "x", image: "i" }] } },
  },
};
const none = "includeObject=None";
const asTable = (path: string) => get(path, { accept: table });

export const particularTables: readonly Sequence[] = [
  {
    name: "a namespace as a row",
    steps: [asTable(`/api/v1/namespaces?${none}&fieldSelector=metadata.name%3D{ns}`)],
  },
  {
    name: "a default class says so",
    alone: true,
    steps: [
      create(classes, { metadata: { name: "{id}", annotations: isDefault }, provisioner: "d.test" }),
      asTable(`${classes}/{id}?${none}`),
    ],
  },
  {
    name: "a default class of ingresses says so",
    alone: true,
    steps: [
      create(`${networking}/ingressclasses`, {
        metadata: { name: "{id}", annotations: { "ingressclass.kubernetes.io/is-default-class": "true" } },
        spec: { controller: "example.test/c" },
      }),
      asTable(`${networking}/ingressclasses/{id}?${none}`),
    ],
  },
  {
    name: "a volume that is being deleted",
    steps: [
      create("/api/v1/persistentvolumes", {
        metadata: { name: "{id}", finalizers: ["example.test/wait"] },
        spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/x" } },
      }),
      { send: "DELETE /api/v1/persistentvolumes/{id}" },
      asTable(`/api/v1/persistentvolumes/{id}?${none}`),
    ],
  },
  {
    name: "a scale as a row",
    steps: [create(deployments, scaled), asTable(`${deployments}/a/scale`)],
  },
  {
    name: "a status as a row",
    steps: [
      create(deployments, scaled),
      {
        ...patch(`${deployments}/a/status`, "application/merge-patch+json", {
          status: { readyReplicas: 1, replicas: 1 },
        }),
        accept: table,
      },
      asTable(`${deployments}/a/status?${none}`),
    ],
  },
  {
    name: "a range of addresses as a row",
    alone: true,
    steps: [
      create(`${networking}/servicecidrs`, { metadata: { name: "{id}" }, spec: { cidrs: ["10.200.0.0/24"] } }),
      asTable(`${networking}/servicecidrs/{id}?${none}`),
    ],
  },
  {
    name: "an address as a row",
    alone: true,
    steps: [
      create(`${networking}/ipaddresses`, {
        metadata: { name: "10.201.0.7" },
        spec: { parentRef: { group: "k.test", resource: "Things", namespace: "n", name: "t" } },
      }),
      asTable(`${networking}/ipaddresses/10.201.0.7?${none}`),
    ],
  },
  {
    name: "definitions as rows",
    steps: [
      asTable("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?fieldSelector=metadata.name%3Dnothing.test"),
    ],
  },
  {
    name: "services that serve APIs as rows",
    steps: [asTable(`/apis/apiregistration.k8s.io/v1/apiservices?${none}&fieldSelector=metadata.name%3Dnothing`)],
  },
];
