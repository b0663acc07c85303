import type { ConfigMap } from "@stowage/machinery";
import { expect, it } from "vitest";
import { desiredCloudConfig } from "./cloud-config-controller.ts";

it("the copy of the cloud's configuration has its content, and nothing of who has made the original", () => {
  const source: ConfigMap = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "cloud-provider-config", namespace: "openshift-config", uid: "1", labels: { a: "b" } },
    data: { config: "{}", endpoints: "{}" },
    immutable: true,
  };
  expect(desiredCloudConfig(source, "drivers")).toEqual({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "azure-cloud-config", namespace: "drivers" },
    data: { config: "{}", endpoints: "{}" },
  });
});
