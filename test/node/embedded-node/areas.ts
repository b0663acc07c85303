import { join } from "node:path";
import { itemsIn, loadAreaFiles } from "../../api/area-files.ts";
import type { Area } from "../../cluster/embedded-scenarios/scenario.ts";
import type { Scenario, Scene } from "./scenario.ts";

const folder = join(import.meta.dirname, "scenarios");

/** The named areas, or all; each is a file of the folder. */
export async function loadAreas(names: readonly string[] = []): Promise<Area<Scene>[]> {
  const files = await loadAreaFiles(folder, names);
  return files.map(({ name, exported }) => ({ name, scenarios: itemsIn(exported) as Scenario[] }));
}
