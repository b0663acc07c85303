import type { CSINode } from "@stowage/machinery";
import { describe, expect, it } from "vitest";
import { attachmentOf } from "./fixtures/attachments.ts";
import { attachNodeId, detachNodeId } from "./node-id.ts";

const DRIVER = "csi.example.com";
const annotated = attachmentOf({ annotations: { "csi.alpha.kubernetes.io/node-id": "noted" } });

function csiNode(...drivers: { name: string; nodeID: string }[]): CSINode {
  return { apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name: "node-1" }, spec: { drivers } };
}

const registered = csiNode({ name: "other", nodeID: "x" }, { name: DRIVER, nodeID: "n-1" });

describe("the id of the node", () => {
  it("comes from the CSINode, whatever the annotation says", () => {
    expect(attachNodeId(annotated, registered, DRIVER)).toBe("n-1");
    expect(detachNodeId(annotated, registered, DRIVER)).toBe("n-1");
  });

  it.each([
    ["there is no CSINode", undefined],
    ["the CSINode lacks the driver", csiNode({ name: "other", nodeID: "x" })],
    // What the API server says of a node without any driver.
    ["the CSINode has no list", { ...csiNode(), spec: { drivers: null as never } }],
  ])("comes from the annotation when %s, but only to detach", (_, node) => {
    expect(detachNodeId(annotated, node, DRIVER)).toBe("noted");
    expect(() => attachNodeId(annotated, node, DRIVER)).toThrow(
      expect.objectContaining({ code: "NODE_NOT_REGISTERED" }),
    );
  });

  it("is an error that names node and driver when nobody knows it", () => {
    expect(() => detachNodeId(attachmentOf(), csiNode(), DRIVER)).toThrow(
      "CSINode node-1 does not contain driver csi.example.com",
    );
    expect(() => detachNodeId(attachmentOf(), undefined, DRIVER)).toThrow("there is no CSINode node-1");
  });
});
