import type { CustomResourceDefinitionSpec, CustomResourceDefinitionVersion } from "../../api/index.ts";
import { equalJson, type JsonValue } from "../../patches/json-value.ts";
import { child, indexed } from "../errors/field-path.ts";

/** Parts of versions that the server holds once, above all versions, when they are the same in each. */
export type SharedPart = "schema" | "subresources" | "additionalPrinterColumns" | "selectableFields";

export interface PlacedPart<P extends SharedPart> {
  readonly part: NonNullable<CustomResourceDefinitionVersion[P]>;
  /** The path under which the server speaks of it. */
  readonly path: string;
  readonly versionName: string;
}

const sharedNames: Readonly<Record<SharedPart, string>> = {
  schema: "validation",
  subresources: "subresources",
  additionalPrinterColumns: "additionalPrinterColumns",
  selectableFields: "selectableFields",
};

/** Each different part with its path: `spec.validation` for a schema that all versions have, though nobody wrote that. */
export function placedParts<P extends SharedPart>(spec: CustomResourceDefinitionSpec, name: P): PlacedPart<P>[] {
  const [first, ...rest] = spec.versions;
  if (first === undefined) return [];
  const isShared = rest.every((version) => equalJson(asJson(version[name]), asJson(first[name])));
  if (isShared) return placed(first, name, `spec.${sharedNames[name]}`);
  return spec.versions.flatMap((version, index) => placed(version, name, child(indexed("spec.versions", index), name)));
}

function placed<P extends SharedPart>(
  version: CustomResourceDefinitionVersion,
  name: P,
  path: string,
): PlacedPart<P>[] {
  const part = version[name];
  return part === undefined ? [] : [{ part, path, versionName: version.name }];
}

function asJson(value: unknown): JsonValue | undefined {
  return value as JsonValue | undefined;
}
