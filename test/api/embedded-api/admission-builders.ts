import { claims, classes, create, type Fields, mergePatch, patch } from "./builders.ts";
import type { Request } from "./sequence.ts";

/** Words for sequences about what admission does. */
export const container = (name: string, more: Fields = {}) => ({ name, image: "example.test/app:1", ...more });
export const needing = (resources: Fields, more: Fields = {}) => ({
  containers: [container("main", { resources })],
  ...more,
});
/** The real server's plugins look at copies that are a moment old. */
export const soon = (step: Request, awaits: NonNullable<Request["awaits"]>): Request => ({ ...step, awaits });

export const storageClass = (name: string, more: Fields = {}, annotations: Fields = {}) =>
  create(classes, {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name, annotations },
    provisioner: "example.test/p",
    ...more,
  });

export const bound = patch(`${claims}/a/status`, mergePatch, {
  status: { phase: "Bound", capacity: { storage: "1Gi" } },
});
export const grown = patch(`${claims}/a`, mergePatch, { spec: { resources: { requests: { storage: "2Gi" } } } });
