import type { JsonObject } from "@stowage/machinery/apply";
import { describe, expect, it } from "vitest";
import { fieldsOf, listOf } from "../../../json-fields.ts";
import { podDefaults, podTemplateDefaults } from "./pod-defaults.ts";

const container = (more: JsonObject): JsonObject => ({ name: "main", image: "app:1", ...more });
const specOf = (spec: JsonObject) => fieldsOf(podDefaults({ spec })["spec"]);
const firstOf = (spec: JsonObject) => fieldsOf(listOf(specOf(spec)["containers"])[0]);

describe("a Pod", () => {
  it("asks for what it may have", () => {
    const resources = { limits: { cpu: "1000m", memory: "1Gi" }, requests: { memory: "512Mi" } };
    expect(firstOf({ containers: [container({ resources })] })["resources"]).toEqual({
      limits: { cpu: "1", memory: "1Gi" },
      requests: { cpu: "1", memory: "512Mi" },
    });
  });

  it("has the host's ports on the host's network", () => {
    const ports = [{ containerPort: 80 }];
    expect(firstOf({ hostNetwork: true, containers: [container({ ports })] })["ports"]).toEqual([
      { containerPort: 80, hostPort: 80, protocol: "TCP" },
    ]);
  });

  it("gets as a whole what its containers ask for, and its limits where they ask for nothing", () => {
    const containers = [container({ resources: { requests: { cpu: "1" } } }), container({})];
    const resources = { limits: { cpu: "4", memory: "1Gi" } };
    expect(specOf({ containers, resources })["resources"]).toEqual({
      ...resources,
      requests: { cpu: "1", memory: "1Gi" },
    });
  });

  it("has a second to end when it says less than none", () => {
    expect(specOf({ terminationGracePeriodSeconds: -5 })["terminationGracePeriodSeconds"]).toBe(1);
  });

  it.each([
    [{ podIP: "10.0.0.1" }, { podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] }],
    [{ podIPs: [{ ip: "10.0.0.1" }] }, { podIP: "10.0.0.1", podIPs: [{ ip: "10.0.0.1" }] }],
    [
      { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.1" }, { ip: "fd00::1" }] },
      { podIP: "10.0.0.2", podIPs: [{ ip: "10.0.0.2" }] },
    ],
  ])("has its first address in both fields: %o", (status, both) => {
    expect(podDefaults({ status })["status"]).toEqual(both);
  });
});

describe("a template", () => {
  it("is left without what only a Pod gets", () => {
    const resources = { limits: { cpu: "1" } };
    const { spec } = podTemplateDefaults({ spec: { containers: [container({ resources })] } });
    expect(spec).toEqual({
      containers: [
        container({
          resources,
          imagePullPolicy: "IfNotPresent",
          terminationMessagePath: "/dev/termination-log",
          terminationMessagePolicy: "File",
        }),
      ],
      dnsPolicy: "ClusterFirst",
      restartPolicy: "Always",
      schedulerName: "default-scheduler",
      securityContext: {},
      terminationGracePeriodSeconds: 30,
    });
  });

  it("loses the annotations that init containers once were", () => {
    const annotations = { "pod.beta.kubernetes.io/init-containers": "[]" };
    expect(podTemplateDefaults({ metadata: { annotations } })["metadata"]).toEqual({});
  });
});
