import { parseArgs } from "node:util";
import type { Cluster, Clusters } from "./clusters.ts";
import { compareAreas, type Stage } from "./comparison.ts";
import { describeChance, describeCompared } from "./report.ts";
import type { Area, Scene } from "./scenario.ts";

export interface CompareCommand<C extends Cluster, S extends Scene> {
  loadAreas(names: readonly string[]): Promise<readonly Area<S>[]>;
  /** With `--self` the real one stands in for ours. */
  startClusters(isSelfTest: boolean): Promise<Clusters<C> & AsyncDisposable>;
  readonly open: Stage<C, S>["open"];
}

/** `[area…] [--only TEXT] [--self]`: prints which scenarios end otherwise on one cluster than on the other. */
export async function runCompareCommand<C extends Cluster, S extends Scene>(
  command: CompareCommand<C, S>,
): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: "string" }, self: { type: "boolean" } },
  });
  const areas = (await command.loadAreas(positionals)).map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.filter((scenario) => scenario.name.includes(values.only ?? "")),
  }));
  await using clusters = await command.startClusters(values.self ?? false);
  const compared = await compareAreas({ clusters, open: command.open }, areas);
  const differing = compared.filter(({ differences }) => differences.length > 0);
  const chance = describeChance(compared);
  if (chance !== "") process.stdout.write(`${chance}\n`);
  for (const each of differing) process.stdout.write(`${describeCompared(each)}\n`);
  process.stdout.write(`${compared.length} scenarios, ${differing.length} differ\n`);
}
