// `npm run test:affected [-- --base REV] [--list]`: the tests of both tiers that a change reaches, shortest first.
import { parseArgs } from "node:util";
import { checkout } from "./checkout.ts";
import { type Affected, affectedTests, changedSince, defaultBase, fitting } from "./tests/affected.ts";
import { printClosing, type Suite } from "./tests/closing-table.ts";
import { Durations } from "./tests/durations.ts";
import { ImportGraph } from "./tests/import-graph.ts";
import { runSteadily } from "./tests/second-look.ts";
import { listTestFiles } from "./tests/test-file.ts";
import { runVitest } from "./tests/vitest-run.ts";

const { values } = parseArgs({ options: { base: { type: "string" }, list: { type: "boolean", default: false } } });
const base = values.base ?? defaultBase();
const changed = changedSince(base);
const affected = affectedTests(await listTestFiles(checkout), await ImportGraph.read(checkout), changed);
const durations = Durations.read();
const { chosen } = fitting(affected, durations, Number.POSITIVE_INFINITY);
console.log(`${changed.length} files differ from ${base.slice(0, 12)}; ${chosen.length} tests reach them:`);
for (const { file, why } of chosen) console.log(`${durations.of(file)} s  ${why.join(" → ")}`);
if (!values.list && chosen.length > 0) process.exitCode = await run(chosen);

async function run(tests: readonly Affected[]): Promise<number> {
  const needsNodeAlone = ({ file }: Affected) => file.place === "unit" || file.place === "isolated";
  const [unit, real] = [tests.filter(needsNodeAlone), tests.filter((each) => !needsNodeAlone(each))];
  const suites: Suite[] = [];
  if (unit.length > 0) {
    const files = unit.map(({ file }) => file.path);
    suites.push({
      name: "affected-unit",
      ...(await runVitest({ suite: "affected-unit", places: ["unit", "isolated"], files })),
    });
  }
  if (real.length > 0) {
    suites.push(
      await runSteadily(
        "affected-real",
        real.map(({ file }) => file.path),
      ),
    );
  }
  return printClosing(suites) ? 0 : 1;
}
