import { benchInformer } from "./informer/bench.ts";

/** Each prints what it measured and says whether every bar was met. */
export const benchmarks: Readonly<Record<string, (benchArguments: readonly string[]) => Promise<boolean>>> = {
  informer: benchInformer,
};
