import type { ConfigMap, Container, Pod, Secret, Service } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { containerEnvironment, type EnvironmentSources } from "./container-environment.ts";
import { containerResource } from "./container-resources.ts";
import { podField } from "./pod-fields.ts";
import { serviceEnvironment } from "./service-environment.ts";
import { expanded } from "./variable-expansion.ts";

const container: Container = {
  name: "main",
  resources: { limits: { cpu: "1500m" }, requests: { memory: "64Mi", cpu: "1m" } },
};
const pod: Pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web",
    namespace: "shop",
    uid: "u-1",
    labels: { b: "2", a: 'say "hi"' },
    annotations: { "a.dev/key": "line\nline" },
  },
  spec: { containers: [container], serviceAccountName: "clerk" },
};
const place = { nodeName: "node-1", hostIPs: ["10.0.0.1"], podIPs: ["10.0.0.2", "fd00::2"] };

describe("a field of a Pod", () => {
  it.each([
    ["metadata.name", "web"],
    ["metadata.namespace", "shop"],
    ["metadata.uid", "u-1"],
    ["metadata.labels", 'a="say \\"hi\\""\nb="2"'],
    ["metadata.labels['b']", "2"],
    ["metadata.labels['none']", ""],
    ["metadata.annotations['a.dev/key']", "line\nline"],
    ["metadata.annotations", 'a.dev/key="line\\nline"'],
    ["spec.nodeName", "node-1"],
    ["spec.serviceAccountName", "clerk"],
    ["status.hostIP", "10.0.0.1"],
    ["status.podIP", "10.0.0.2"],
    ["status.podIPs", "10.0.0.2,fd00::2"],
    ["spec.containers", undefined],
  ])("%s is %j", (path, value) => {
    expect(podField(pod, path, place)).toBe(value);
  });

  it("that only the node knows is none for the files of a volume", () => {
    expect(podField(pod, "status.podIP")).toBeUndefined();
  });
});

describe("a resource of a container", () => {
  it.each([
    ["limits.cpu", undefined, "2"],
    ["limits.cpu", "1m", "1500"],
    ["requests.cpu", "1", "1"],
    ["requests.memory", "1Mi", "64"],
    ["requests.memory", "0", "67108864"],
    ["limits.memory", "1Gi", "8"],
    ["limits.ephemeral-storage", undefined, "0"],
    ["limits.hugepages-2Mi", undefined, "0"],
    ["limits.pods", undefined, undefined],
  ])("%s in units of %s is %s", (resource, divisor, value) => {
    const selector = { resource, ...(divisor !== undefined && { divisor }) };
    expect(containerResource(pod, selector, { container, allocatable: { memory: "8Gi" } })).toBe(value);
  });
});

it.each([
  ["$(A)", "a"],
  ["x$(A)y$(B)", "xay$(B)"],
  ["$$(A)", "$(A)"],
  ["$$$(A)", "$a"],
  ["$A $() $(", "$A $() $("],
])("%s becomes %s", (text, result) => {
  expect(expanded(text, (name) => ({ A: "a" })[name])).toBe(result);
});

describe("the environment of a container", () => {
  const configMap = { data: { color: "red", size: "xl" } } as unknown as ConfigMap;
  const secret = { data: { key: Buffer.from("s3cret").toString("base64") } } as unknown as Secret;
  const sources: EnvironmentSources = {
    configMap: (name) => (name === "settings" ? configMap : undefined),
    secret: (name) => (name === "keys" ? secret : undefined),
    services: { KUBERNETES_SERVICE_HOST: "10.96.0.1" },
    place,
    allocatable: {},
  };
  const environment = (more: Partial<Container>) => containerEnvironment(pod, { ...container, ...more }, sources);

  it("comes from everywhere, the later and the more particular before the rest", () => {
    const variables = environment({
      envFrom: [{ prefix: "M_", configMapRef: { name: "settings" } }, { secretRef: { name: "keys" } }],
      env: [
        { name: "M_size", value: "s" },
        { name: "NAME", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
        { name: "CPU", valueFrom: { resourceFieldRef: { resource: "limits.cpu" } } },
        { name: "COLOR", valueFrom: { configMapKeyRef: { name: "settings", key: "color" } } },
        { name: "ALL", value: "$(NAME)-$(M_color)-$(KUBERNETES_SERVICE_HOST)-$(NONE)" },
        { name: "MAYBE", valueFrom: { secretKeyRef: { name: "none", key: "x", optional: true } } },
      ],
    });
    expect(variables).toEqual({
      KUBERNETES_SERVICE_HOST: "10.96.0.1",
      M_color: "red",
      M_size: "s",
      key: "s3cret",
      NAME: "web",
      CPU: "2",
      COLOR: "red",
      ALL: "web-red-10.96.0.1-$(NONE)",
    });
  });

  it.each([
    [{ envFrom: [{ configMapRef: { name: "none" } }] }, 'configmap "none" not found'],
    [{ envFrom: [{ secretRef: { name: "none" } }] }, 'secret "none" not found'],
    [
      { env: [{ name: "A", valueFrom: { configMapKeyRef: { name: "settings", key: "no" } } }] },
      "couldn't find key no in ConfigMap shop/settings",
    ],
    [
      { env: [{ name: "A", valueFrom: { secretKeyRef: { name: "keys", key: "no" } } }] },
      "couldn't find key no in Secret shop/keys",
    ],
  ])("%j is refused: %s", (more, message) => {
    expect(() => environment(more)).toThrow(expect.objectContaining({ code: "CONTAINER_CONFIG", message }));
  });
});

it("knows where the services of the namespace are", () => {
  const service = (name: string, spec: Service["spec"]): Service => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name },
    spec,
  });
  const ports = [{ port: 80 }, { name: "other-one", port: 81, protocol: "UDP" as const }];
  const services = [
    service("a-shop", { clusterIP: "10.0.0.1", ports }),
    service("headless", { clusterIP: "None", ports }),
    service("not-yet", { ports }),
  ];
  expect(serviceEnvironment(services)).toEqual({
    A_SHOP_SERVICE_HOST: "10.0.0.1",
    A_SHOP_SERVICE_PORT: "80",
    A_SHOP_SERVICE_PORT_OTHER_ONE: "81",
    A_SHOP_PORT: "tcp://10.0.0.1:80",
    A_SHOP_PORT_80_TCP: "tcp://10.0.0.1:80",
    A_SHOP_PORT_80_TCP_PROTO: "tcp",
    A_SHOP_PORT_80_TCP_PORT: "80",
    A_SHOP_PORT_80_TCP_ADDR: "10.0.0.1",
    A_SHOP_PORT_81_UDP: "udp://10.0.0.1:81",
    A_SHOP_PORT_81_UDP_PROTO: "udp",
    A_SHOP_PORT_81_UDP_PORT: "81",
    A_SHOP_PORT_81_UDP_ADDR: "10.0.0.1",
  });
});
