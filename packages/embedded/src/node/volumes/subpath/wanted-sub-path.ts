import { StowageError, type VolumeMount } from "@stowage/machinery";
import { expanded } from "../../pods/values/variable-expansion.ts";

/**
 * Which part of its volume a mount is of, "" for all of it. Throws `CONTAINER_CONFIG` in kubelet's words for a path that could
 * lead out by its mere text; what links in the volume do is seen when it is opened.
 */
export function wantedSubPath(mount: VolumeMount, env: Readonly<Record<string, string>>): string {
  const within = hasText(mount.subPathExpr) ? expandedSubPath(mount.subPathExpr, env) : (mount.subPath ?? "");
  if (within.startsWith("/")) throw refused(`error SubPath \`${within}\` must not be an absolute path`);
  if (within.split("/").includes("..")) {
    throw refused(`unable to provision SubPath \`${within}\`: must not contain '..'`);
  }
  return within;
}

/** A variable that says nothing would make a path of something else. */
function expandedSubPath(expression: string, env: Readonly<Record<string, string>>): string {
  const missing = new Set<string>();
  const text = expanded(expression, (name) => {
    const value = env[name] ?? "";
    if (value === "") missing.add(name);
    return value;
  });
  if (missing.size === 0) return text;
  throw refused(`missing value for ${[...missing].toSorted((a, b) => (a < b ? -1 : 1)).join(", ")}`);
}

const hasText = (text: string | undefined): text is string => text !== undefined && text !== "";

function refused(message: string): StowageError {
  return new StowageError("CONTAINER_CONFIG", message);
}
