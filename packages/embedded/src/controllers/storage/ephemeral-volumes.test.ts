import { expect, it } from "vitest";
import { desiredEphemeralClaim } from "./ephemeral-volumes.ts";
import { onClaim, pod } from "./fixtures/storage-objects.ts";

it("makes a claim of the template, with its labels and annotations, that belongs to the Pod", () => {
  const spec = { accessModes: ["ReadWriteOnce" as const], storageClassName: "fast" };
  const metadata = { labels: { of: "web" }, annotations: { note: "kept" } };
  const volume = { name: "scratch", ephemeral: { volumeClaimTemplate: { metadata, spec } } };
  expect(desiredEphemeralClaim(pod("web"), volume)).toEqual({
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: "web-scratch",
      namespace: "shop",
      ...metadata,
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: "web", uid: "uid-of-web", controller: true, blockOwnerDeletion: true },
      ],
    },
    spec,
  });
});

it("makes none for any other volume", () => {
  expect(desiredEphemeralClaim(pod("web"), onClaim("data"))).toBeUndefined();
});
