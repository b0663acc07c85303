// `npm run bench -- NAME`: measures, side by side in one run, and fails when a bar is missed.
import { benchmarks } from "../test/perf/index.ts";

const [name = "", ...benchArguments] = process.argv.slice(2);
const benchmark = benchmarks[name];
if (benchmark === undefined) {
  console.error(`usage: npm run bench -- NAME, where NAME is one of ${Object.keys(benchmarks).join(", ")}`);
  process.exitCode = 2;
} else {
  process.exitCode = (await benchmark(benchArguments)) ? 0 : 1;
}
