import { readFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { listSources } from "./source-list.ts";

/**
 * Who may import whom: the table of the architecture (docs/design/000-architecture.md). A package may import what stands
 * beside it here, and what those may import in turn.
 */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  machinery: [],
  kube: ["machinery"],
  operator: ["kube"],
  csi: ["machinery"],
  sidecars: ["operator", "csi"],
  drivers: ["csi"],
  operators: ["operator", "csi"],
  embedded: ["kube", "csi"],
  lab: ["machinery"],
  cli: ["machinery", "kube", "operator", "csi", "sidecars", "drivers", "operators", "embedded", "lab"],
};

/** Rooms that may import less than the rest of their package. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  // A client and a server that share code hide each other's mistakes.
  "packages/embedded/src/apiserver/": ["machinery"],
};

/** Doors of packages beside the main one, as their `exports` have them. */
const SIDE_DOORS: ReadonlySet<string> = new Set([
  "@stowage/machinery/apply",
  "@stowage/machinery/certificates",
  "@stowage/machinery/crds",
  "@stowage/machinery/openapi",
  "@stowage/machinery/openshift-crds",
  "@stowage/machinery/patches",
  "@stowage/machinery/structural",
  "@stowage/csi/host",
  "@stowage/embedded/protobuf",
  "@stowage/kube/testing",
  "@stowage/machinery/testing",
  "@stowage/operator/testing",
  "@stowage/operators/cluster-storage",
  "@stowage/operators/csi-driver",
  "@stowage/operators/csi-driver/composition",
  "@stowage/operators/destroy",
  "@stowage/operators/rbac-proxy",
  "@stowage/operators/version",
]);

const IMPORT = /\b(?:import|export)\s(?:[^"';]*?\sfrom\s)?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** Every import that goes against the table, or past a package's front door, as a sentence. */
export async function importViolations(checkout: string): Promise<string[]> {
  const violations: string[] = [];
  for (const file of await listSources(checkout)) {
    const owner = packageOf(file);
    if (owner === undefined) continue;
    const text = await readFile(join(checkout, file), "utf8");
    for (const [, fromClause, dynamic] of text.matchAll(IMPORT)) {
      const problem = problemOf(owner, file, fromClause ?? dynamic ?? "");
      if (problem !== undefined) violations.push(`${file}: ${problem}`);
    }
  }
  return violations;
}

export function problemOf(owner: string, file: string, specifier: string): string | undefined {
  if (specifier.startsWith(".")) {
    const target = relative(".", resolve(dirname(file), specifier));
    if (packageOf(target) === owner) return undefined;
    return `reaches into ${target} by path; import the package by its name`;
  }
  const match = /^@stowage\/([^/]+)(\/.*)?$/.exec(specifier);
  if (match === null) return undefined;
  const [, target = "", deep] = match;
  if (deep !== undefined && !SIDE_DOORS.has(specifier))
    return `imports "${specifier}"; only "@stowage/${target}" is public`;
  if (!(target in MAY_IMPORT)) return `imports "${specifier}", which is not a package of the architecture`;
  if (target !== owner && !reachable(owner).has(target)) return `${owner} may not import ${target}`;
  const room = Object.keys(ROOMS).find((folder) => file.startsWith(folder));
  if (room !== undefined && !ROOMS[room]?.includes(target)) return `${room} may not import ${target}`;
  return undefined;
}

function reachable(owner: string): Set<string> {
  const found = new Set<string>();
  const waiting = [...(MAY_IMPORT[owner] ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(MAY_IMPORT[next] ?? []));
  }
  return found;
}

function packageOf(file: string): string | undefined {
  const [first, second] = file.split(sep);
  if (first === "packages") return second;
  return first === "lab" ? "lab" : undefined;
}
