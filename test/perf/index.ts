import { benchCsi } from "./csi/bench.ts";
import { benchEmbedded } from "./embedded/bench.ts";
import { benchInformer } from "./informer/bench.ts";
import { benchNode } from "./node/bench.ts";
import { benchOperators } from "./operators/bench.ts";
import { benchSidecars } from "./sidecars/bench.ts";
import { benchUp } from "./up/bench.ts";

/** Each prints what it measured and says whether every bar was met. */
export const benchmarks: Readonly<Record<string, (benchArguments: readonly string[]) => Promise<boolean>>> = {
  csi: benchCsi,
  embedded: benchEmbedded,
  informer: benchInformer,
  node: benchNode,
  operators: benchOperators,
  sidecars: benchSidecars,
  up: benchUp,
};
