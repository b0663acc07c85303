// What `.ci/run` runs: the sources check out, the README's test command passes on Node alone, a steady core of the real suite passes, and what
// is left of the gate's time goes to tests of the release tier that the change reaches.
import { checkout } from "./checkout.ts";
import { type Affected, affectedTests, againSeconds, changedSince, defaultBase, fitting } from "./tests/affected.ts";
import { joined, printClosing, type Suite } from "./tests/closing-table.ts";
import { Durations } from "./tests/durations.ts";
import { ImportGraph } from "./tests/import-graph.ts";
import { runAsSuite } from "./tests/npm-suite.ts";
import { ResultsFolder } from "./tests/results.ts";
import { runSteadily } from "./tests/second-look.ts";
import { listTestFiles, needsNodeAlone } from "./tests/test-file.ts";

const limitSeconds = 25 * 60;
/** Control planes have to come up, and the table is written. */
const reserveSeconds = 60;
const batchSeconds = 3 * 60;

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1000;
const suites: Suite[] = [await checks(), await readmeTest()];
const isRedSoFar = suites.some(({ results }) => results === undefined || results.some(({ failed }) => failed > 0));
const files = await listTestFiles(checkout);
const core = files.filter((file) => file.isInGate && !needsNodeAlone(file));
if (isRedSoFar) {
  const remark = "not run: what comes before it failed";
  suites.push(
    { name: "core", seconds: 0, results: undefined, remark },
    { name: "affected", seconds: 0, results: undefined, remark },
  );
} else {
  heading("the core of the real suite");
  suites.push(
    await runSteadily(
      "core",
      core.map(({ path }) => path),
    ),
  );
  heading("what the change reaches");
  suites.push(await affected());
}
process.exitCode = printClosing(suites) ? 0 : 1;

function heading(what: string): void {
  console.log(`\n== ${what} (${elapsed().toFixed(0)} s so far)`);
}

async function checks(): Promise<Suite> {
  heading("npm run verify");
  return runAsSuite("verify", ["run", "--silent", "verify"]);
}

async function readmeTest(): Promise<Suite> {
  heading("npm test");
  new ResultsFolder("unit").empty();
  return runAsSuite("npm test", ["test"], () => new ResultsFolder("unit").read());
}

/**
 * Of the release tier: what every change has to pass has been run. It goes in batches, so that how fast this machine is tells what still fits.
 */
async function affected(): Promise<Suite> {
  const base = defaultBase();
  const changed = changedSince(base);
  const release = files.filter((file) => !file.isInGate);
  const reached = affectedTests(release, await ImportGraph.read(checkout), changed);
  const durations = Durations.read();
  console.log(
    `${changed.length} files differ from ${base.slice(0, 12)}; ${reached.length} tests of the release tier reach them.`,
  );
  const ran: Suite[] = [];
  let waiting: readonly Affected[] = reached;
  let slowness = 1;
  for (;;) {
    const left = (limitSeconds - reserveSeconds - elapsed()) / slowness;
    let { chosen, leftOut } = fitting(waiting, durations, Math.min(left, batchSeconds));
    const fits = (each: Affected) => durations.of(each.file) + againSeconds(each, durations) <= left;
    const long = chosen.length > 0 ? undefined : leftOut.find(fits);
    if (long !== undefined) [chosen, leftOut] = [[long], leftOut.filter((each) => each !== long)];
    waiting = leftOut;
    if (chosen.length === 0) break;
    for (const { file, why } of chosen) console.log(`${file.path}: ${why.slice(1).join(" → ")}`);
    const suite = await runSteadily(
      `affected-${ran.length + 1}`,
      chosen.map(({ file }) => file.path),
    );
    ran.push(suite);
    // What was run again says nothing of how fast the machine is.
    const isTelling = suite.unsteady?.length === 0;
    if (isTelling) slowness = Math.max(1, suite.seconds / durations.sum(chosen.map(({ file }) => file)));
  }
  for (const { file } of waiting) console.log(`left out, no time: ${file.path}`);
  const remark = waiting.length > 0 ? `${waiting.length} files left out for time: npm run test:affected` : undefined;
  return joined("affected", ran, remark);
}
