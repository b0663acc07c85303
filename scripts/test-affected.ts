// `npm run test:affected [-- --base REV] [--list]`: the tests of both tiers that a change reaches, shortest first.
import { checkout } from "./checkout.ts";
import { type Affected, affectedTests, changedSince, defaultBase, fitting, isRevision } from "./tests/affected.ts";
import { printClosing, type Suite } from "./tests/closing-table.ts";
import { readFlags } from "./tests/command-flags.ts";
import { Durations } from "./tests/durations.ts";
import { ImportGraph } from "./tests/import-graph.ts";
import { runSteadily } from "./tests/second-look.ts";
import { listTestFiles, needsNodeAlone } from "./tests/test-file.ts";
import { runVitest } from "./tests/vitest-run.ts";

const usage = `usage: npm run test:affected [-- --base REV] [--list]

Runs the tests that a change since REV reaches; --list only names them, with the way that leads to each.`;

const { values } = readFlags({ base: { type: "string" }, list: { type: "boolean", default: false } } as const, usage);
const base = values.base ?? defaultBase();
if (!isRevision(base)) {
  console.error(`there is no revision "${base}" to compare with\n\n${usage}`);
  process.exit(2);
}
const changed = changedSince(base);
const affected = affectedTests(await listTestFiles(checkout), await ImportGraph.read(checkout), changed);
const durations = Durations.read();
const { chosen } = fitting(affected, durations, Number.POSITIVE_INFINITY);
console.log(`${changed.length} files differ from ${base.slice(0, 12)}; ${chosen.length} tests reach them:`);
for (const { file, why } of chosen) console.log(`${durations.of(file)} s  ${why.join(" → ")}`);
if (!values.list && chosen.length > 0) process.exitCode = await run(chosen);

async function run(tests: readonly Affected[]): Promise<number> {
  const unit = tests.filter(({ file }) => needsNodeAlone(file));
  const real = tests.filter(({ file }) => !needsNodeAlone(file));
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
