import type { ManagedFieldsEntry, Pod } from "@stowage/machinery";
import { expect, it } from "vitest";
import { creatorOf, writesOf } from "./field-writes.ts";

const madeAt = "2026-01-01T00:00:00Z";
const pod = (managedFields: ManagedFieldsEntry[]): Pod => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "shop", name: "web", creationTimestamp: madeAt, managedFields },
  spec: { containers: [], nodeName: "node-1" },
  status: { phase: "Running" },
});

const made = { manager: "kubectl-create", time: madeAt, fieldsV1: { "f:spec": { "f:containers": {} } } };
const ran = {
  manager: "kubelet",
  time: "2026-01-01T00:00:05Z",
  subresource: "status",
  fieldsV1: {
    "f:status": {
      "f:conditions": { ".": {}, 'k:{"type":"Ready"}': { ".": {}, "f:status": {} } },
      "f:hostIP": {},
      "f:podIPs": {},
      "f:phase": {},
    },
  },
};

it("has who wrote which fields when, with the values that tell how far it is", () => {
  expect(writesOf(pod([made, ran]))).toMatchObject([
    {
      actor: "kubelet",
      atMs: Date.parse(ran.time),
      says: "wrote status.phase=Running, status.conditions, status.hostIP and 1 more",
    },
  ]);
});

it("takes the first writer of the object itself for its maker", () => {
  expect(creatorOf(pod([ran, made]))).toBe("kubectl-create");
  expect(creatorOf(pod([]))).toBe("somebody");
});

it("shows a later write of its maker, and whose part it is where the name says nothing", () => {
  const later = { ...made, manager: "stowage", time: "2026-01-01T00:00:09Z" };
  expect(writesOf(pod([later]))).toMatchObject([{ actor: "kubelet", says: "wrote spec.containers" }]);
});
