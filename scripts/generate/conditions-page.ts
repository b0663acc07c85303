import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { driverIds, loadDriverProfile } from "../../packages/operators/src/csi-driver/index.ts";
import { checkout } from "../checkout.ts";
import { page, table } from "./reference-page.ts";

/** Where controllers of operators are, and what a reader calls the lot. */
const places: readonly (readonly [folder: string, title: string])[] = [
  ["packages/operators/src/version", "Version operator, on ClusterVersion"],
  ["packages/operators/src/cluster-storage", "Cluster storage operator, on Storage"],
  ["packages/operators/src/csi-driver", "Operators of drivers, on ClusterCSIDriver"],
  ["packages/operator/src", "Controllers that operators share"],
];

/** The conditions that each controller writes, as its comment says. */
export async function generateConditionsPage(): Promise<Map<string, string>> {
  const profiles = await Promise.all(driverIds.map((id) => loadDriverProfile(id)));
  const prefixes = profiles.map(({ driverName, conditionPrefix }) => [`\`${driverName}\``, `\`${conditionPrefix}\``]);
  const lines = [
    "Conditions by the controller that writes them. Those of a driver's operator come up to `Storage/cluster` and `ClusterOperator/storage`:",
    "what ends in `Degraded`, `Available`, `Progressing` or `Upgradeable` counts there for the condition of that name. `<name>` is the controller's own.",
    "",
    ...places.flatMap(([folder, title]) => section(folder, title)),
    "## Prefixes",
    "",
    "`<P>` above, by driver.",
    "",
    ...table(["driver", "prefix"], prefixes),
  ];
  const source = "the comments of controllers in packages/operator and packages/operators";
  return new Map([["docs/reference/conditions.md", page("Conditions", source, lines)]]);
}

function section(folder: string, title: string): string[] {
  const found = sourcesBelow(folder).flatMap((path) => controllersIn(readFileSync(path, "utf8")));
  const rows = found.filter(({ writes }) => !writes.startsWith("none"));
  if (rows.length === 0) throw new Error(`no controller in ${folder} says which conditions it writes`);
  const cells = rows.map(({ name, watches, writes }) => [`\`${name}\``, watches, writes]);
  return [`## ${title}`, "", ...table(["controller", "watches", "writes"], cells), ""];
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts") && !entry.name.endsWith(".test.ts"))
    .map(({ parentPath, name }) => join(parentPath, name))
    .toSorted();
}

interface ControllerComment {
  readonly name: string;
  readonly watches: string;
  readonly writes: string;
}

const documented =
  /\/\*\*(?<comment>(?:(?!\*\/)[^])*?Writes conditions:(?:(?!\*\/)[^])*?)\*\/\s*export function (?<name>\w+)/gu;

export function controllersIn(text: string): ControllerComment[] {
  return [...text.matchAll(documented)].map(({ groups }) => {
    const words = (groups?.["comment"] ?? "").replaceAll(/\s*\n\s*\*\s?/gu, " ").trim();
    return { name: groups?.["name"] ?? "", watches: said(words, "Watches"), writes: said(words, "Writes conditions") };
  });
}

/** What follows the word, up to the next one of its kind. */
function said(comment: string, word: string): string {
  const others = "Watches|Owns|Writes conditions|Deletes|Field manager|On removal";
  const found = new RegExp(`${word}: (?<text>.*?)(?: (?:${others})\\b|$)`, "u").exec(comment);
  return (found?.groups?.["text"] ?? "").replace(/\.$/u, "");
}
