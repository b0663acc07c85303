import { describe, expect, it } from "vitest";
import type { ManagedFieldsEntry } from "../api/generated/meta-v1.ts";
import { fieldPath } from "./path-element.ts";
import { scaledManagedFields, scaleManagedFields } from "./scale-fields.ts";

const paths = { "apps/v1": fieldPath("spec", "replicas"), "apps/v2": null };
const time = "2026-01-01T00:00:00Z";
const entry = (manager: string, apiVersion: string, fields: object, rest: object = {}): ManagedFieldsEntry => ({
  manager,
  operation: "Apply",
  apiVersion,
  time,
  fieldsType: "FieldsV1",
  fieldsV1: { "f:spec": fields },
  ...rest,
});

describe("the managed fields of a scale", () => {
  const parent = [
    entry("ann", "apps/v1", { "f:replicas": {}, "f:paused": {} }),
    entry("bob", "apps/v1", { "f:paused": {} }),
    entry("carl", "apps/v2", { "f:replicas": {} }),
    entry("dora", "apps/v3", { "f:replicas": {} }),
  ];

  it("are those of whoever owns the replicas", () => {
    expect(scaleManagedFields(parent, paths)).toEqual([entry("ann", "autoscaling/v1", { "f:replicas": {} })]);
  });

  it("go back to the object: a new owner takes the replicas, and versions that are gone are forgotten", () => {
    const scale = [entry("emil", "autoscaling/v1", { "f:replicas": {} }, { subresource: "scale" })];
    const { time: _, ...withoutTime } = entry("emil", "apps/v1", { "f:replicas": {} }, { subresource: "scale" });
    expect(scaledManagedFields({ apiVersion: "apps/v1", parent, scale, paths })).toEqual([
      withoutTime,
      entry("ann", "apps/v1", { "f:paused": {} }),
      entry("bob", "apps/v1", { "f:paused": {} }),
      entry("carl", "apps/v2", { "f:replicas": {} }),
    ]);
  });
});
