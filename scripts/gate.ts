// What `.ci/run` runs: the sources check out, the README's test command passes on Node alone, a steady core of the real suite passes, and what
// is left of the gate's time goes to tests of the release tier that the change reaches.
import { checkout } from "./checkout.ts";
import { affectedTests, changedSince, defaultBase, fitting } from "./tests/affected.ts";
import { printClosing, type Suite } from "./tests/closing-table.ts";
import { Durations } from "./tests/durations.ts";
import { ImportGraph } from "./tests/import-graph.ts";
import { runAsSuite } from "./tests/npm-suite.ts";
import { ResultsFolder } from "./tests/results.ts";
import { runSteadily } from "./tests/second-look.ts";
import { listTestFiles, type TestFile } from "./tests/test-file.ts";

const limitSeconds = 25 * 60;
/** Tests take longer than usual on a busy machine, and control planes have to come up. */
const reserveSeconds = 3 * 60;
const slowness = 1.3;

const startedAt = performance.now();
const elapsed = () => (performance.now() - startedAt) / 1000;
const suites: Suite[] = [await checks(), await readmeTest()];
const isRedSoFar = suites.some(({ results }) => results === undefined || results.some(({ failed }) => failed > 0));
const files = await listTestFiles(checkout);
const core = files.filter(({ place, isInGate }) => place !== "unit" && place !== "isolated" && isInGate);
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

/** Of the release tier: what every change has to pass has been run. */
async function affected(): Promise<Suite> {
  const isLeft = (file: TestFile) => !file.isInGate;
  const base = defaultBase();
  const changed = changedSince(base);
  const reached = affectedTests(files.filter(isLeft), await ImportGraph.read(checkout), changed);
  const seconds = (limitSeconds - reserveSeconds - elapsed()) / slowness;
  const { chosen, leftOut } = fitting(reached, Durations.read(), Math.max(0, seconds));
  console.log(
    `${changed.length} files differ from ${base.slice(0, 12)}; of the release tier ${reached.length} tests reach them.`,
  );
  for (const { file, why } of chosen) console.log(`run       ${file.path}: ${why.slice(1).join(" → ")}`);
  for (const { file } of leftOut) console.log(`left out  ${file.path}: no time is left; npm run test:affected runs it`);
  const remark = leftOut.length > 0 ? `${leftOut.length} files left out for time` : undefined;
  const told = remark === undefined ? {} : { remark };
  if (chosen.length === 0) return { name: "affected", seconds: 0, results: undefined, ...told };
  return {
    ...(await runSteadily(
      "affected",
      chosen.map(({ file }) => file.path),
    )),
    ...told,
  };
}
