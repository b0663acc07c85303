import type { KubeClient, ObjectRef } from "@stowage/kube";
import type { OwnerReference, ResourceType } from "@stowage/machinery";
import { expect, test } from "vitest";
import { findOwner } from "./pod-owner.ts";

const controller = (kind: string, name: string): OwnerReference => ({
  apiVersion: "apps/v1",
  kind,
  name,
  uid: `uid-${name}`,
  controller: true,
  blockOwnerDeletion: true,
});

const metadata: Record<string, object> = {
  "pods/pod": {
    name: "pod",
    uid: "uid-pod",
    ownerReferences: [{ ...controller("Node", "n"), controller: false }, controller("DaemonSet", "set")],
  },
  "pods/alone": { name: "alone", uid: "uid-alone" },
};

/** Only Pods can be read, as with the least rights. */
const client = {
  server: "https://test",
  get: async (type: ResourceType, { name }: ObjectRef) => ({ metadata: metadata[`${type.plural}/${name}`] }),
} as unknown as Pick<KubeClient, "get" | "getPath" | "server">;

test("below 0 there is no owner, and the Pod need not be known", async () => {
  expect(await findOwner(client, { namespace: "ns", level: -1 })).toBeUndefined();
});

test("at 0 it is the Pod itself", async () => {
  expect(await findOwner(client, { namespace: "ns", podName: "pod", level: 0 })).toEqual({
    apiVersion: "v1",
    kind: "Pod",
    name: "pod",
    uid: "uid-pod",
    controller: true,
  });
});

test("at 1 it is the Pod's controller, which need not be read", async () => {
  expect(await findOwner(client, { namespace: "ns", podName: "pod", level: 1 })).toEqual({
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    name: "set",
    uid: "uid-set",
    controller: true,
  });
});

test.each([
  ["the Pod's name is not given", undefined, /name of this Pod/],
  ["nobody controls the Pod", "alone", /Pod ns\/alone has no controlling owner/],
])("fails when %s", async (_what, podName, message) => {
  await expect(findOwner(client, { namespace: "ns", podName, level: 1 })).rejects.toMatchObject({
    code: "CAPACITY_OWNER_UNKNOWN",
    message: expect.stringMatching(message) as string,
  });
});
