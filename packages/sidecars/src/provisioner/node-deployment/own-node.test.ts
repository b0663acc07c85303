import { expect, test } from "vitest";
import { ownNodeTopology, readOwnNode } from "./own-node.ts";

test("the node is where the driver says, under the name that Kubernetes has for it", async () => {
  const nodeGetInfo = async () => ({ nodeId: "i-42", accessibleTopology: { segments: { host: "h" } } });
  expect(await readOwnNode({ node: { nodeGetInfo } } as never, "n")).toEqual({ name: "n", segments: { host: "h" } });
});

test("a driver without topology says nothing of places", async () => {
  const nodeGetInfo = async () => ({ nodeId: "i-42" });
  expect(await readOwnNode({ node: { nodeGetInfo } } as never, "n")).toEqual({ name: "n", segments: undefined });
});

test("its cluster has this node and no other", () => {
  const cluster = ownNodeTopology({ name: "n", segments: { host: "h", zone: "z" } });
  expect(cluster.driverNode("n")).toEqual({ name: "n", keys: ["host", "zone"] });
  expect(cluster.driverNode("m")).toBeUndefined();
  expect(cluster.driverNodes()).toHaveLength(1);
  expect(cluster.labelsOf("n")).toEqual({ host: "h", zone: "z" });
  expect(cluster.labelsOf("m")).toBeUndefined();
  expect([...cluster.labels()]).toEqual([{ host: "h", zone: "z" }]);
});
