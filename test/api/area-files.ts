import { readdirSync } from "node:fs";
import { basename, join } from "node:path";

/** What a file of a folder exports, by the file's name. */
export interface AreaFile {
  readonly name: string;
  readonly exported: Readonly<Record<string, unknown>>;
}

/** The named areas, or all; each is a file of the folder. */
export async function loadAreaFiles(folder: string, names: readonly string[]): Promise<AreaFile[]> {
  const all = readdirSync(folder)
    .filter((file) => file.endsWith(".ts"))
    .map((file) => basename(file, ".ts"));
  const unknown = names.filter((name) => !all.some((area) => isMeant(area, name)));
  if (unknown.length > 0) throw new Error(`no such area: ${unknown.join(", ")}; there are ${all.join(", ")}`);
  const chosen = names.length === 0 ? all : all.filter((area) => names.some((name) => isMeant(area, name)));
  const load = async (name: string) => ({ name, exported: (await import(join(folder, `${name}.ts`))) as object });
  return (await Promise.all(chosen.map(load))) as AreaFile[];
}

/** `verbs` means `verbs-reads` as well. */
function isMeant(area: string, name: string): boolean {
  return area === name || area.startsWith(`${name}-`);
}

/** Of everything that a file exports, what is in lists. */
export function itemsIn(exported: Readonly<Record<string, unknown>>): unknown[] {
  return Object.values(exported).filter(Array.isArray).flat();
}
