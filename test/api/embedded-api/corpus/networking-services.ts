import {
  apply,
  create,
  type Fields,
  get,
  mergePatch,
  patch,
  remove,
  rows,
  strategicPatch,
  update,
} from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

const services = "/api/v1/namespaces/{ns}/services";
const own = `${services}/s`;

const service = (spec: Fields = {}, metadata: Fields = {}) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "s", ...metadata },
  spec: { ports: [{ port: 80 }], selector: { app: "a" }, ...spec },
});

const made = (spec: Fields = {}, metadata: Fields = {}): Step => create(services, service(spec, metadata));
const merged = (spec: unknown, more: Fields = {}): Step => patch(own, mergePatch, { spec, ...more });
const ports = (...list: Fields[]) => ({ ports: list });

const creations = (what: string, table: Readonly<Record<string, Fields>>): Sequence[] =>
  rows(what, Object.fromEntries(Object.entries(table).map(([name, spec]) => [name, [made(spec), get(own)]])));

export const specs: readonly Sequence[] = creations("a service with", {
  little: {},
  "no ports": { ports: [] },
  "no selector": { selector: null },
  "a selector that is none": { selector: { "a b": "c d" } },
  "no address": { clusterIP: "None" },
  "no address and no selector": { clusterIP: "None", selector: null },
  "no address and no ports": { clusterIP: "None", ports: [] },
  "no address in the list": { clusterIPs: ["None"] },
  "two addresses": { clusterIP: "10.96.77.3", clusterIPs: ["10.96.77.3", "10.96.77.4"] },
  "an address and another in the list": { clusterIP: "10.96.77.5", clusterIPs: ["10.96.77.6"] },
  "an address that is none": { clusterIP: "x" },
  "an address elsewhere": { clusterIP: "1.2.3.4" },
  "an address of six": { clusterIP: "2001:db8::1" },
  "three addresses": { clusterIP: "10.96.77.3", clusterIPs: ["10.96.77.3", "10.96.77.4", "::1"] },
  "none and an address": { clusterIP: "None", clusterIPs: ["None", "10.96.77.4"] },
  "the family IPv4": { ipFamilies: ["IPv4"] },
  "the family IPv6": { ipFamilies: ["IPv6"] },
  "a family that is none": { ipFamilies: ["IPv5"] },
  "a family twice": { ipFamilies: ["IPv4", "IPv4"] },
  "both families": { ipFamilies: ["IPv4", "IPv6"] },
  "one stack": { ipFamilyPolicy: "SingleStack" },
  "two stacks if there are": { ipFamilyPolicy: "PreferDualStack" },
  "two stacks": { ipFamilyPolicy: "RequireDualStack" },
  "stacks that are none": { ipFamilyPolicy: "Many" },
  "ports on nodes": { type: "NodePort" },
  "a port on nodes out of range": { type: "NodePort", ...ports({ port: 80, nodePort: 80 }) },
  "a port on nodes that it may not have": ports({ port: 80, nodePort: 31_234 }),
  "one port of two protocols on nodes": {
    type: "NodePort",
    ...ports({ name: "a", port: 80 }, { name: "b", port: 80, protocol: "UDP" }),
  },
  "ports on nodes and no address": { type: "NodePort", clusterIP: "None" },
  "a balancer": { type: "LoadBalancer" },
  "a balancer without ports on nodes": { type: "LoadBalancer", allocateLoadBalancerNodePorts: false },
  "a balancer of a class": { type: "LoadBalancer", loadBalancerClass: "example.test/b" },
  "a balancer of a class that is none": { type: "LoadBalancer", loadBalancerClass: "a b" },
  "a class and no balancer": { loadBalancerClass: "example.test/b" },
  "ranges and no balancer": { loadBalancerSourceRanges: ["10.0.0.0/8"] },
  ranges: { type: "LoadBalancer", loadBalancerSourceRanges: ["10.0.0.0/8", " 2001:db8::/64 "] },
  "ranges that are none": {
    type: "LoadBalancer",
    loadBalancerSourceRanges: ["10.0.0.1/8", "x", "010.0.0.0/8", "10.0.0.0/33", "::ffff:1.2.3.0/120"],
  },
  "a balancer's address": { type: "LoadBalancer", loadBalancerIP: "1.2.3.4" },
  "a balancer that keeps it local": { type: "LoadBalancer", externalTrafficPolicy: "Local" },
  "a port for health that it may not have": { healthCheckNodePort: 31_235 },
  "allocation and no balancer": { allocateLoadBalancerNodePorts: true },
  "a name elsewhere": { type: "ExternalName", externalName: "example.test", ports: null },
  "a name elsewhere with a dot": { type: "ExternalName", externalName: "example.test." },
  "no name elsewhere": { type: "ExternalName" },
  "a name elsewhere that is none": { type: "ExternalName", externalName: "a_b" },
  "a name elsewhere and an address": { type: "ExternalName", externalName: "a.b", clusterIP: "10.96.77.9" },
  "a name elsewhere and families": {
    type: "ExternalName",
    externalName: "a.b",
    ipFamilies: ["IPv4"],
    ipFamilyPolicy: "SingleStack",
  },
  "a name elsewhere that is not meant": { externalName: "a.b" },
  "a type that is none": { type: "Box" },
  affinity: { sessionAffinity: "ClientIP" },
  "affinity for a while": { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
  "affinity for no time": { sessionAffinity: "ClientIP", sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
  "affinity for too long": {
    sessionAffinity: "ClientIP",
    sessionAffinityConfig: { clientIP: { timeoutSeconds: 86_401 } },
  },
  "affinity that is none": { sessionAffinity: "Love" },
  "affinity that is not meant": { sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
  "affinity and no address": { sessionAffinity: "ClientIP", clusterIP: "None" },
  "addresses outside": { externalIPs: ["1.2.3.4", "2001:DB8::1"] },
  "addresses outside that are none": {
    externalIPs: ["x", "010.0.0.1", "127.0.0.1", "169.254.1.1", "::ffff:1.2.3.4", "224.0.0.1", "0.0.0.0"],
  },
  "addresses outside and no address": { externalIPs: ["1.2.3.4"], clusterIP: "None" },
  "traffic from outside kept local": { type: "NodePort", externalTrafficPolicy: "Local" },
  "traffic from outside of a kind that is none": { type: "NodePort", externalTrafficPolicy: "x" },
  "traffic from outside that there is not": { externalTrafficPolicy: "Local" },
  "traffic from inside kept local": { internalTrafficPolicy: "Local" },
  "traffic from inside of a kind that is none": { internalTrafficPolicy: "x" },
  "traffic to those near": { trafficDistribution: "PreferClose" },
  "traffic to those in the zone": { trafficDistribution: "PreferSameZone" },
  "traffic to those anywhere": { trafficDistribution: "Anywhere" },
  "Pods that are not ready": { publishNotReadyAddresses: true },
});

export const portCases: readonly Sequence[] = creations("a service with a port", {
  "0": ports({ port: 0 }),
  "70000": ports({ port: 70_000 }),
  "of UDP": ports({ port: 53, protocol: "UDP" }),
  "of a protocol that is none": ports({ port: 53, protocol: "X" }),
  "to another": ports({ port: 80, targetPort: 8080 }),
  "to a name": ports({ port: 80, targetPort: "http" }),
  "to a name that is none": ports({ port: 80, targetPort: "a_b" }),
  "to digits": ports({ port: 80, targetPort: "80" }),
  "to a long name": ports({ port: 80, targetPort: "a".repeat(16) }),
  "to 0": ports({ port: 80, targetPort: 0 }),
  "to 70000": ports({ port: 80, targetPort: 70_000 }),
  "of a name": ports({ port: 80, name: "http" }),
  "of a name that is none": ports({ port: 80, name: "H_" }),
  "of an application": ports({ port: 80, appProtocol: "example.test/x" }),
  "of an application that is none": ports({ port: 80, appProtocol: "a b" }),
  "and another without names": ports({ port: 80 }, { port: 81 }),
  "and another of the same name": ports({ port: 80, name: "a" }, { port: 81, name: "a" }),
  "and the same again": ports({ port: 80, name: "a" }, { port: 80, name: "b" }),
  "and the same of another protocol": ports({ port: 80, name: "a" }, { port: 80, name: "b", protocol: "UDP" }),
});

export const metadata: readonly Sequence[] = rows("a service", {
  "of a name that begins with a digit": [create(services, { ...service(), metadata: { name: "1a" } })],
  "of a name that is none": [create(services, { ...service(), metadata: { name: "a.b" } })],
  "of a name to be made": [create(services, { ...service(), metadata: { generateName: "g-" } })],
  "with an outdated annotation": [made({}, { annotations: { "service.kubernetes.io/topology-aware-hints": "auto" } })],
  "with two annotations that differ": [
    made(
      {},
      {
        annotations: { "service.kubernetes.io/topology-aware-hints": "a", "service.kubernetes.io/topology-mode": "b" },
      },
    ),
  ],
  "with ranges in an annotation": [
    made(
      { type: "LoadBalancer" },
      { annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8, x" } },
    ),
  ],
  "with ranges in an annotation that it may not have": [
    made({}, { annotations: { "service.beta.kubernetes.io/load-balancer-source-ranges": "10.0.0.0/8" } }),
  ],
  "without a spec": [create(services, { metadata: { name: "s" } })],
  "with a status": [
    create(services, { ...service(), status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } } }),
    get(own),
  ],
  "that is put where there is none": [update(own, service()), get(own)],
  "with the address of another": [
    made(),
    create(services, service({ clusterIP: "{0.spec.clusterIP}" }, { name: "t" })),
    create(services, service({ clusterIPs: ["{0.spec.clusterIP}"] }, { name: "t" })),
  ],
  "with an address that another had": [
    made(),
    remove(own),
    create(services, service({ clusterIP: "{0.spec.clusterIP}" }, { name: "t" })),
  ],
  "is deleted": [made(), remove(own), get(own)],
});

const changes: Readonly<Record<string, readonly Step[]>> = {
  "its ports": [merged(ports({ port: 81 })), get(own)],
  "its ports by a strategic patch": [
    patch(own, strategicPatch, {
      spec: {
        ports: [
          { port: 81, name: "b" },
          { port: 80, name: "a" },
        ],
      },
    }),
  ],
  "its address": [merged({ clusterIP: "10.96.79.1" })],
  "its address to none": [merged({ clusterIP: "None" })],
  "its address to nothing": [merged({ clusterIP: null, clusterIPs: null })],
  "its family": [merged({ ipFamilies: ["IPv6"] })],
  "its stacks": [merged({ ipFamilyPolicy: "PreferDualStack" })],
  "its selector": [merged({ selector: { app: "b" } })],
  "its affinity": [merged({ sessionAffinity: "ClientIP" }), merged({ sessionAffinity: "None" })],
  "to ports on nodes": [merged({ type: "NodePort" }), merged({ type: "ClusterIP" }), get(own)],
  "to a balancer": [merged({ type: "LoadBalancer" }), merged({ type: "ClusterIP" }), get(own)],
  "to a balancer that keeps it local": [
    merged({ type: "LoadBalancer", externalTrafficPolicy: "Local" }),
    merged({ externalTrafficPolicy: "Cluster" }),
  ],
  "to a name elsewhere": [merged({ type: "ExternalName", externalName: "a.b" }), merged({ type: "ClusterIP" })],
  "to a class of balancers": [
    merged({ type: "LoadBalancer", loadBalancerClass: "a/b" }),
    merged({ loadBalancerClass: "a/c" }),
  ],
  "to addresses outside": [merged({ externalIPs: ["1.2.3.4"] }), merged({ externalIPs: null })],
  "all by an update": [update(own, service()), get(own)],
  "its labels": [merged({}, { metadata: { labels: { a: "b" } } })],
};

export const updates: readonly Sequence[] = [
  ...rows("a service that changes", changes, [made()]),
  ...rows("a service without an address that changes", changes, [made({ clusterIP: "None" })]),
];

const status = (fields: Fields): Step => patch(`${own}/status`, mergePatch, { status: fields });
const ingress = (...list: Fields[]) => ({ loadBalancer: { ingress: list } });

export const statuses: readonly Sequence[] = [
  ...rows(
    "the status of a balanced service:",
    {
      "an address": [status(ingress({ ip: "1.2.3.4" })), get(own)],
      "an address that is none": [status(ingress({ ip: "x" }))],
      "a mode": [status(ingress({ ip: "1.2.3.4", ipMode: "Proxy" }))],
      "a mode that is none": [status(ingress({ ip: "1.2.3.4", ipMode: "x" }))],
      "a mode without an address": [status(ingress({ ipMode: "VIP", hostname: "a.b" }))],
      "a name": [status(ingress({ hostname: "a.b" }))],
      "a name that is none": [status(ingress({ hostname: "A_" }))],
      "a name that is an address": [status(ingress({ hostname: "1.2.3.4" }))],
      "a condition": [
        status({
          conditions: [
            { type: "A", status: "True", reason: "R", message: "", lastTransitionTime: "2001-02-03T04:05:06Z" },
          ],
        }),
      ],
      "that is lost with the type": [status(ingress({ ip: "1.2.3.4" })), merged({ type: "ClusterIP" })],
    },
    [made({ type: "LoadBalancer" })],
  ),
  ...rows("the status of a service:", { "an address": [status(ingress({ ip: "1.2.3.4" }))] }, [made()]),
];

export const applies: readonly Sequence[] = rows("a service that is applied", {
  "is made": [apply(own, service()), apply(own, service()), get(own)],
  "with other ports": [
    apply(own, service(ports({ port: 80, name: "a" }, { port: 81, name: "b" }))),
    apply(own, service(ports({ port: 80, name: "a" }))),
  ],
  "by two": [
    apply(own, service()),
    apply(own, service({ type: "NodePort", ports: undefined, selector: undefined }), { manager: "bob" }),
  ],
});

/** Of the few that are never given to those who do not ask for one. They are given back, so that another run can have them. */
const onNodes = (nodePort: number) => ({ type: "NodePort", ...ports({ port: 80, nodePort }) });

export const chosenPorts: readonly Sequence[] = rows("a port on nodes that was chosen", {
  "is given": [made(onNodes(30_011)), get(own), remove(own)],
  "is given once": [
    made(onNodes(30_012)),
    create(services, service(onNodes(30_012), { name: "t" })),
    made(onNodes(30_012)),
    remove(own),
    create(services, service(onNodes(30_012), { name: "t" })),
    remove(`${services}/t`),
  ],
  "is given up": [
    made(onNodes(30_013)),
    merged({ type: "ClusterIP" }),
    create(services, service(onNodes(30_013), { name: "t" })),
    remove(`${services}/t`),
  ],
  "is given to one that there is": [made(), merged(onNodes(30_014)), merged(onNodes(30_015)), remove(own)],
});
