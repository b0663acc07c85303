import { CsiError } from "@stowage/csi";
import type { MockSettings } from "../options.ts";

type StringMap = Readonly<Record<string, string>>;

/** @throws CsiError INVALID_ARGUMENT when a key is none that can be changed */
export function checkMutableParameters({ mutableParameters }: MockSettings, given: StringMap): void {
  const unknown = Object.keys(given).find((key) => !mutableParameters.includes(key));
  if (unknown === undefined) return;
  const known = mutableParameters.join(", ") || "none";
  throw new CsiError("INVALID_ARGUMENT", `the parameter ${unknown} cannot be set on a volume; these can: ${known}`);
}

export function isSameMap(a: StringMap, b: StringMap): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
