import { basename, dirname } from "node:path";
import type { KubernetesObject, PolicyRule } from "../../packages/machinery/src/index.ts";
import { parseManifests } from "../../packages/operator/src/index.ts";
import { page, table } from "./reference-page.ts";

/** By the beginning of their paths: whose roles they are. */
const owners: readonly (readonly [path: string, title: string])[] = [
  ["packages/sidecars/rbac/", "Sidecars"],
  ["packages/operators/manifests/", "Storage operator, and what it brings for the sidecars of all drivers"],
  ["packages/operators/src/cluster-storage/assets/", "Operators of drivers"],
  ["packages/operators/src/csi-driver/drivers/", "Drivers"],
];

type Role = KubernetesObject & { readonly rules?: readonly PolicyRule[] };

/** Every role in the generated manifests, which are given by path. */
export function generateRightsPage(manifests: ReadonlyMap<string, string>): Map<string, string> {
  const lines = owners.flatMap(([path, title]) =>
    section(
      title,
      [...manifests].filter(([file]) => file.startsWith(path)),
    ),
  );
  const text = page("Rights", "the roles that are generated from tables in the sources", [
    "What each component may do. Sidecars and operators have no more than they use: the tests run with these roles, and fail when a right is",
    "missing or never used. Those of drivers are the originals'.",
    "`${…}` stands for what is put in when an object is applied.",
    "",
    ...lines.slice(0, -1),
  ]);
  return new Map([["docs/reference/rights.md", text]]);
}

function section(title: string, files: readonly (readonly [path: string, text: string])[]): string[] {
  const roles = files.flatMap(([path, text]) => rolesIn(path, text));
  return [`## ${title}`, "", ...roles.flatMap(roleLines)];
}

interface PlacedRole {
  readonly place: string;
  readonly role: Role;
}

function rolesIn(path: string, text: string): PlacedRole[] {
  if (!path.endsWith(".yaml")) return [];
  const objects = parseManifests({ name: path, text }) as readonly Role[];
  const roles = objects.filter(({ kind }) => kind === "Role" || kind === "ClusterRole");
  return roles.map((role) => ({ place: placeOf(path), role }));
}

/** The sidecar, the driver, or the folder of the payload. */
function placeOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === "generated" ? basename(dirname(folder)) : basename(folder);
}

function roleLines({ place, role: { kind, metadata, rules = [] } }: PlacedRole): string[] {
  const where = metadata.namespace === undefined ? "" : ` in \`${metadata.namespace}\``;
  const rows = rules.map(({ apiGroups = [], resources = [], nonResourceURLs = [], resourceNames = [], verbs }) => [
    apiGroups.map((group) => (group === "" ? "core" : group)).join(", "),
    [...resources, ...nonResourceURLs].map((name) => `\`${name}\``).join(", "),
    resourceNames.map((name) => `\`${name}\``).join(", "),
    verbs.join(", "),
  ]);
  return [
    `### ${place}: ${kind} \`${metadata.name}\`${where}`,
    "",
    ...table(["groups", "resources", "by name", "verbs"], rows),
    "",
  ];
}
