import { dns1123SubdomainErrors, qualifiedNameErrors } from "@stowage/machinery";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import type { KindName } from "./kind-rules.ts";
import { pathSegmentProblems } from "./metadata-update.ts";

type NameProblems = (name: string, isPrefix: boolean) => readonly string[];

/** Groups whose names may be anything that a path can have. */
const anyNames: ReadonlySet<string> = new Set(["rbac.authorization.k8s.io", "apiregistration.k8s.io"]);

export function nameProblemsOf({ group }: KindName): NameProblems {
  return anyNames.has(group) ? pathSegmentProblems : subdomainProblems;
}

/** A prefix may end in a hyphen: the rest of the name comes later. */
function subdomainProblems(name: string, isPrefix: boolean): readonly string[] {
  return dns1123SubdomainErrors(isPrefix && name.length > 1 && name.endsWith("-") ? `${name.slice(0, -2)}a` : name);
}

const standardFinalizers: ReadonlySet<string> = new Set(["kubernetes", "orphan", "foregroundDeletion"]);

/** A finalizer of a built-in kind is somebody's by its prefix, or one of the old ones. */
export function finalizerNameErrors(name: string, path: string): FieldError[] {
  return [...qualifiedNameErrors(name).map((problem) => invalid(path, name, problem)), ...ownerlessErrors(name, path)];
}

export function ownerlessErrors(name: string, path: string): FieldError[] {
  if (name.includes("/") || standardFinalizers.has(name)) return [];
  return [invalid(path, name, "name is neither a standard finalizer name nor is it fully qualified")];
}
