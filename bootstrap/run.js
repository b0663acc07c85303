// The front step of every npm script: plain JavaScript for Node 18 and later. It brings the checkout's dependencies up to
// date, finds a Node 24, and hands the work to a TypeScript source that Node runs directly.

import { commandFile } from "./bundle.js";
import { runUnderNode24 } from "./hand-over.js";
import { setUp } from "./setup.js";

/** npm script -> what does it: a source, relative to the checkout, or the file that it is found in. */
const TASKS = {
  start: commandFile,
  test: () => "scripts/test.ts",
  "test:affected": () => "scripts/test-affected.ts",
  "test:release": () => "scripts/test-release.ts",
  "test:steady": () => "scripts/test-steady.ts",
  gate: () => "scripts/gate.ts",
  verify: () => "scripts/verify.ts",
  generate: () => "scripts/generate.ts",
  format: () => "scripts/format.ts",
  lab: () => "lab/src/main.ts",
  bench: () => "scripts/bench.ts",
  image: () => "scripts/image.ts",
};

/** `npm start` alone is `stowage up`, and so are its options; `npm start -- status` is `stowage status`. */
function argumentsOf(name, given) {
  return name === "start" && (given.length === 0 || given[0].startsWith("-")) ? ["up", ...given] : given;
}

const [taskName = "", ...taskArguments] = process.argv.slice(2);
const task = TASKS[taskName];
if (task === undefined) {
  console.error(`stowage: there is no task "${taskName}"; the tasks are ${Object.keys(TASKS).join(", ")}`);
  process.exit(2);
}

try {
  const node24 = await setUp();
  await runUnderNode24(node24, [task(node24), ...argumentsOf(taskName, taskArguments)]);
} catch (error) {
  console.error(`stowage: ${error.message}`);
  process.exit(1);
}
