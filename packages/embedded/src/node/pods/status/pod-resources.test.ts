import type { Container, Pod } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { podResourceStatus } from "./pod-resources.ts";

const container = (name: string, resources: Container["resources"], more: Partial<Container> = {}): Container => ({
  name,
  ...(resources !== undefined && { resources }),
  ...more,
});
const pod = (spec: Partial<NonNullable<Pod["spec"]>>, phase?: "Running"): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web" },
  spec: { containers: [], ...spec },
  ...(phase !== undefined && { status: { phase } }),
});

describe("what a Pod as a whole has been given", () => {
  it("is nothing when it asks for nothing", () => {
    expect(podResourceStatus(pod({ containers: [container("a", undefined)] }))).toEqual({ resources: {} });
  });

  const two = [
    container("a", {
      requests: { cpu: "150m", memory: "70Mi", "ephemeral-storage": "5Mi" },
      limits: { cpu: "1500m", memory: "100Mi" },
    }),
    container("b", { requests: { cpu: "10m" } }),
  ];

  it("is the sum of what its containers ask for", () => {
    expect(podResourceStatus(pod({ containers: two }))).toEqual({
      allocatedResources: { cpu: "160m", memory: "70Mi", "ephemeral-storage": "5Mi" },
      resources: {
        requests: { cpu: "160m", memory: "70Mi", "ephemeral-storage": "5Mi" },
        limits: { cpu: "1500m", memory: "100Mi" },
      },
    });
  });

  it("is what it is held to while it runs, and one without a limit is not held", () => {
    expect(podResourceStatus(pod({ containers: two }, "Running")).resources).toEqual({
      requests: { cpu: "160m", memory: "70Mi" },
    });
    expect(podResourceStatus(pod({ containers: two.slice(0, 1) }, "Running")).resources).toEqual({
      requests: { cpu: "150m", memory: "70Mi" },
      limits: { cpu: "1500m", memory: "100Mi" },
    });
  });

  it("is what its init containers need, where that is more, beside the sidecars before them", () => {
    const cpu = (amount: string) => ({ requests: { cpu: amount } });
    const initContainers = [
      container("s", cpu("1"), { restartPolicy: "Always" }),
      container("i", cpu("3")),
      container("t", cpu("1"), { restartPolicy: "Always" }),
    ];
    const of = (main: string) => pod({ initContainers, containers: [container("a", cpu(main))] });
    expect(podResourceStatus(of("1")).allocatedResources).toEqual({ cpu: "4" });
    expect(podResourceStatus(of("5")).allocatedResources).toEqual({ cpu: "7" });
  });
});
