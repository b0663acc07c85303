import { apply, create, type Fields, get, mergePatch, patch, remove, rows } from "../builders.ts";
import type { Sequence, Step } from "../sequence.ts";

interface Kind {
  readonly apiVersion: string;
  readonly collection: string;
  readonly kind: string;
  readonly fields: Fields;
}

const own = ({ collection }: Kind) => `${collection}/o-{id}`;

const object = ({ apiVersion, kind, fields }: Kind, more: Fields = {}, metadata: Fields = {}) => ({
  apiVersion,
  kind,
  metadata: { name: "o-{id}", ...metadata },
  ...fields,
  ...more,
});

const made = (of: Kind, more: Fields = {}, metadata: Fields = {}): Step =>
  create(of.collection, object(of, more, metadata));

function cases(of: Kind, table: Readonly<Record<string, Fields>>): Sequence[] {
  const steps = Object.entries(table).map(([name, more]) => [name, [made(of, more), get(own(of))]] as const);
  return rows(`${of.kind} with`, Object.fromEntries(steps));
}

function changes(of: Kind, table: Readonly<Record<string, unknown>>, first: Fields = {}): Sequence[] {
  const steps = Object.entries(table).map(
    ([name, fields]) => [name, [patch(own(of), mergePatch, fields), get(own(of))]] as const,
  );
  return rows(`${of.kind} that changes`, Object.fromEntries(steps), [made(of, first)]);
}

function life(of: Kind): Sequence[] {
  return rows(of.kind, {
    "is made": [made(of), get(own(of))],
    "is applied": [apply(own(of), object(of)), apply(own(of), object(of, {}, { labels: { a: "b" } })), get(own(of))],
    "is deleted": [made(of), remove(own(of)), get(own(of))],
    "of a name that is none": create(of.collection, { ...object(of), metadata: { name: "O_x" } }),
    "with labels that are none": made(of, {}, { labels: { "a b": "c" } }),
  });
}

const spec = (fields: Fields) => ({ spec: fields });

const policy: Kind = {
  apiVersion: "networking.k8s.io/v1",
  collection: "/apis/networking.k8s.io/v1/namespaces/{ns}/networkpolicies",
  kind: "NetworkPolicy",
  fields: { spec: { podSelector: {} } },
};
const allowed = (...ingress: Fields[]) => spec({ podSelector: {}, ingress });
const port = (fields: Fields) => allowed({ ports: [fields] });
const from = (...peers: Fields[]) => allowed({ from: peers });
const block = (cidr: string, ...except: string[]) => from({ ipBlock: { cidr, except } });

export const policies: readonly Sequence[] = [
  ...life(policy),
  ...cases(policy, {
    "no spec": { spec: null },
    "a way out": spec({ podSelector: {}, egress: [{}] }),
    "both ways": spec({ podSelector: {}, policyTypes: ["Ingress", "Egress"] }),
    "a way that is none": spec({ podSelector: {}, policyTypes: ["Sideways"] }),
    "three ways": spec({ podSelector: {}, policyTypes: ["Ingress", "Egress", "Ingress"] }),
    "a selector that is none": spec({ podSelector: { matchLabels: { "a b": "c" } } }),
    "a port": port({ port: 80 }),
    "a port by name": port({ port: "http", protocol: "UDP" }),
    "a port that is none": port({ port: 0 }),
    "a port of a name that is none": port({ port: "A_" }),
    "a port of a protocol that is none": port({ port: 80, protocol: "X" }),
    ports: port({ port: 80, endPort: 90 }),
    "ports backwards": port({ port: 80, endPort: 70 }),
    "ports by name": port({ port: "a", endPort: 70 }),
    "ports without a first": port({ endPort: 70 }),
    "an empty peer": from({}),
    Pods: from({ podSelector: { matchLabels: { a: "b" } }, namespaceSelector: {} }),
    "Pods that are none": from({ podSelector: { matchExpressions: [{ key: "a", operator: "Is" }] } }),
    "a block": block("10.0.0.0/8", "10.1.0.0/16"),
    "a block of nothing": from({ ipBlock: {} }),
    "a block that is none": block("x", "y"),
    "a block with what is not in it": block("10.0.0.0/8", "11.0.0.0/16", "10.0.0.0/8"),
    "a block and Pods": from({ ipBlock: { cidr: "10.0.0.0/8" }, podSelector: {} }),
  }),
  ...changes(policy, {
    "its selector": spec({ podSelector: { matchLabels: { a: "b" } } }),
    "its rules": allowed({ ports: [{ port: 81 }] }),
    "its ways": spec({ policyTypes: ["Egress"] }),
  }),
];

const ingress: Kind = {
  apiVersion: "networking.k8s.io/v1",
  collection: "/apis/networking.k8s.io/v1/namespaces/{ns}/ingresses",
  kind: "Ingress",
  fields: { spec: { defaultBackend: { service: { name: "s", port: { number: 80 } } } } },
};
const backend = (fields: Fields) => spec({ defaultBackend: fields });
const rule = (fields: Fields) => spec({ rules: [fields] });
const service = { service: { name: "s", port: { number: 80 } } };
const path = (fields: Fields) =>
  rule({ http: { paths: [{ pathType: "Prefix", path: "/a", backend: service, ...fields }] } });

export const ingresses: readonly Sequence[] = [
  ...life(ingress),
  ...cases(ingress, {
    nothing: { spec: {} },
    "no spec": { spec: null },
    "a class": spec({ defaultBackend: service, ingressClassName: "c" }),
    "a class that is none": spec({ defaultBackend: service, ingressClassName: "C_" }),
    "a backend of nothing": backend({}),
    "a backend of two things": backend({ ...service, resource: { kind: "K", name: "n" } }),
    "a resource": backend({ resource: { apiGroup: "example.test", kind: "K", name: "n" } }),
    "a resource that is none": backend({ resource: { apiGroup: "A_", name: "a/b" } }),
    "a service without a name": backend({ service: { port: { number: 80 } } }),
    "a service of a name that is none": backend({ service: { name: "S_", port: { number: 80 } } }),
    "a service without a port": backend({ service: { name: "s" } }),
    "a service with two ports": backend({ service: { name: "s", port: { number: 80, name: "a" } } }),
    "a service with a port by name": backend({ service: { name: "s", port: { name: "http" } } }),
    "a service with a port that is none": backend({ service: { name: "s", port: { number: 70_000 } } }),
    "a service with a port of a name that is none": backend({ service: { name: "s", port: { name: "A_" } } }),
    "a host": rule({ host: "a.example.test" }),
    "every host": rule({ host: "*.example.test" }),
    "every host of nothing": rule({ host: "a.*.test" }),
    "a host that is none": rule({ host: "A_" }),
    "a host that is an address": rule({ host: "1.2.3.4" }),
    "no paths": rule({ http: { paths: [] } }),
    "a path": path({}),
    "a path of no kind": path({ pathType: undefined }),
    "a path of a kind that is none": path({ pathType: "x" }),
    "a path that is relative": path({ path: "a" }),
    "a path with wrong parts": path({ path: "/a//b/../c/." }),
    "a path of its own kind": path({ pathType: "ImplementationSpecific", path: "" }),
    "a relative path of its own kind": path({ pathType: "ImplementationSpecific", path: "a" }),
    "a path to nothing": path({ backend: {} }),
    secrets: spec({ defaultBackend: service, tls: [{ hosts: ["a.b", "*.c"], secretName: "s" }] }),
    "secrets that are none": spec({ defaultBackend: service, tls: [{ hosts: ["A_", "*"], secretName: "S_" }] }),
  }),
  ...rows("Ingress with an annotation", {
    "of its class": made(ingress, {}, { annotations: { "kubernetes.io/ingress.class": "a" } }),
    "of another class": made(ingress, spec({ defaultBackend: service, ingressClassName: "b" }), {
      annotations: { "kubernetes.io/ingress.class": "a" },
    }),
  }),
  ...changes(ingress, {
    "its rules": path({}),
    "its class": spec({ ingressClassName: "c" }),
    "all to nothing": { spec: { defaultBackend: null } },
  }),
  ...rows(
    "the status of an Ingress:",
    {
      "an address": patch(`${own(ingress)}/status`, mergePatch, {
        status: { loadBalancer: { ingress: [{ ip: "1.2.3.4" }] } },
      }),
      "what is none": patch(`${own(ingress)}/status`, mergePatch, {
        status: { loadBalancer: { ingress: [{ ip: "x", hostname: "A_" }, { hostname: "1.2.3.4" }] } },
      }),
    },
    [made(ingress)],
  ),
];

const ingressClass: Kind = {
  apiVersion: "networking.k8s.io/v1",
  collection: "/apis/networking.k8s.io/v1/ingressclasses",
  kind: "IngressClass",
  fields: { spec: { controller: "example.test/c" } },
};
const parameters = (fields: Fields) =>
  spec({ controller: "example.test/c", parameters: { kind: "K", name: "n", ...fields } });

export const ingressClasses: readonly Sequence[] = [
  ...life(ingressClass),
  ...cases(ingressClass, {
    "no controller": spec({}),
    "a controller that is none": spec({ controller: "x" }),
    "a controller of a domain that is none": spec({ controller: "A_/b" }),
    "a controller of a path that is none": spec({ controller: "a/b c" }),
    "a long controller": spec({ controller: `a/${"b".repeat(250)}` }),
    parameters: parameters({}),
    "parameters of nothing": parameters({ kind: "", name: "" }),
    "parameters of a group that is none": parameters({ apiGroup: "A_" }),
    "parameters in a namespace": parameters({ scope: "Namespace", namespace: "n" }),
    "parameters in no namespace": parameters({ scope: "Namespace" }),
    "parameters of the cluster in a namespace": parameters({ namespace: "n" }),
    "parameters of a scope that is none": parameters({ scope: "x" }),
  }),
  ...changes(ingressClass, {
    "its controller": spec({ controller: "example.test/d" }),
    "its parameters": parameters({}),
  }),
];

const slice: Kind = {
  apiVersion: "discovery.k8s.io/v1",
  collection: "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
  kind: "EndpointSlice",
  fields: { addressType: "IPv4", endpoints: [{ addresses: ["10.1.2.3"] }], ports: [{ port: 80 }] },
};
const endpoint = (fields: Fields) => ({ endpoints: [{ addresses: ["10.1.2.3"], ...fields }] });

export const slices: readonly Sequence[] = [
  ...life(slice),
  ...cases(slice, {
    "no type": { addressType: "" },
    "a type that is none": { addressType: "x" },
    "no endpoints": { endpoints: [] },
    "no addresses": endpoint({ addresses: [] }),
    "an address that is none": endpoint({ addresses: ["x"] }),
    "an address of six": endpoint({ addresses: ["2001:db8::1"] }),
    "an address that is special": endpoint({ addresses: ["127.0.0.1", "169.254.0.1", "0.0.0.0", "224.0.0.5"] }),
    names: { addressType: "FQDN", ...endpoint({ addresses: ["a.example.test"] }) },
    "names that are none": { addressType: "FQDN", ...endpoint({ addresses: ["a", "A_.b"] }) },
    conditions: endpoint({ conditions: { ready: false, serving: true, terminating: false } }),
    "a host": endpoint({ hostname: "h", nodeName: "n", zone: "z" }),
    "a host that is none": endpoint({ hostname: "H_", nodeName: "N_" }),
    hints: endpoint({ hints: { forZones: [{ name: "a" }], forNodes: [{ name: "n" }] } }),
    "hints that are none": endpoint({
      hints: { forZones: [{ name: "a b" }, { name: "a b" }], forNodes: [{ name: "N_" }] },
    }),
    "too many hints": endpoint({
      hints: { forZones: Array.from({ length: 9 }, (_, index) => ({ name: `z${index}` })) },
    }),
    "no ports": { ports: [] },
    "ports of one name": {
      ports: [
        { name: "a", port: 1 },
        { name: "a", port: 2 },
      ],
    },
    "a port of a name that is none": { ports: [{ name: "A_", port: 1 }] },
    "a port of a protocol that is none": { ports: [{ port: 1, protocol: "X", appProtocol: "a b" }] },
  }),
  ...changes(slice, {
    "its type": { addressType: "IPv6" },
    "its endpoints": endpoint({ addresses: ["10.1.2.4"] }),
    "its labels": { metadata: { labels: { a: "b" } } },
  }),
];
