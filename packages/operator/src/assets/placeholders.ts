import { StowageError } from "@stowage/machinery";
import type { Asset } from "./asset.ts";

/**
 * `${NAME}` in capitals. `${name}` and `$NAME` are left alone, so that a shell script in a manifest can have variables, and
 * `$(NAME)` is Kubernetes' own.
 */
const placeholder = /\$\{([A-Z][A-Z0-9_]*)\}/gu;

/** Puts in the values that are given; a name without one stays as it is, for a later hook to fill. */
export function replacePlaceholders(text: string, values: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(
    placeholder,
    (whole, name: string) => (Object.hasOwn(values, name) ? values[name] : whole) ?? whole,
  );
}

/** Refuses text in which a placeholder is left. Lines of comment do not count: they are not sent. */
export function checkResolved(asset: Asset): void {
  for (const [index, line] of asset.text.split("\n").entries()) {
    if (line.trimStart().startsWith("#")) continue;
    const [, name] = line.match(new RegExp(placeholder, "u")) ?? [];
    if (name !== undefined) throw unresolved(asset.name, name, `line ${index + 1}`);
  }
}

/** Refuses an object in which a placeholder is left: a hook may have brought one. */
export function checkObjectResolved(assetName: string, object: object): void {
  const found = findPlaceholder(object, "");
  if (found !== undefined) throw unresolved(assetName, found.name, found.path);
}

function findPlaceholder(value: unknown, path: string): { name: string; path: string } | undefined {
  if (typeof value === "string") {
    const [, name] = value.match(new RegExp(placeholder, "u")) ?? [];
    return name === undefined ? undefined : { name, path };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const found = findPlaceholder(item, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function unresolved(assetName: string, name: string, place: string): StowageError {
  // The one mistake that whoever deploys an operator is sure to make.
  const nextStep = name.endsWith("_IMAGE") ? `Set ${name} in the operator's environment.` : undefined;
  const message = `${assetName}: \${${name}} has no value (${place})`;
  return new StowageError("ASSET_PLACEHOLDER_UNRESOLVED", message, { nextStep });
}
