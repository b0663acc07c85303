import { join } from "node:path";
import { itemsIn, loadAreaFiles } from "../area-files.ts";
import type { Area, Sequence, Step } from "./sequence.ts";

const folder = join(import.meta.dirname, "corpus");

/** The named areas, or all; each is a file of the folder. */
export async function loadCorpus(names: readonly string[] = []): Promise<Area[]> {
  const files = await loadAreaFiles(folder, names);
  return files.map(({ name, exported: { setup = [], ...rest } }) => ({
    name,
    setup: setup as Step[],
    sequences: itemsIn(rest) as Sequence[],
  }));
}
