import type { ComponentOverride } from "@stowage/machinery";
import { groupOf, type PayloadManifest } from "../payload/index.ts";

/** Whether somebody has asked for the object to be left alone. The namespace of one that has none is not looked at. */
export function isOverridden({ object }: PayloadManifest, overrides: readonly ComponentOverride[]): boolean {
  const group = groupOf(object);
  const { name, namespace } = object.metadata;
  return overrides.some(
    (override) =>
      override.unmanaged &&
      override.kind === object.kind &&
      override.group === group &&
      override.name === name &&
      (namespace === undefined || override.namespace === namespace),
  );
}
