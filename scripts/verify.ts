// `npm run verify`: all that can be said of the sources without running them.
import { checkout, runTool } from "./checkout.ts";
import { importViolations } from "./checks/import-direction.ts";
import { staleGeneratedFiles } from "./generate/generated-files.ts";
import { groupFolders } from "./tests/groups.ts";
import { ImportGraph } from "./tests/import-graph.ts";
import { misplacedTests } from "./tests/test-file.ts";

interface Check {
  readonly name: string;
  /** True when it holds; prints what does not. */
  run(): Promise<boolean>;
}

const tool = (name: string, command: string, ...toolArguments: string[]): Check => ({
  name,
  run: async () => (await runTool(command, toolArguments)) === 0,
});

const findings = (name: string, find: () => Promise<readonly string[]>): Check => ({
  name,
  run: async () => {
    const found = await find();
    for (const finding of found) console.error(`  ${finding}`);
    return found.length === 0;
  },
});

const checks: readonly Check[] = [
  tool("types", "tsc", "-p", "tsconfig.json"),
  tool("lint", "oxlint", "--type-aware", "--deny-warnings"),
  tool("format", "biome", "ci"),
  tool("dead code", "knip"),
  findings("import direction", () => importViolations(checkout)),
  findings("names of tests", () => misplacedTests(checkout, groupFolders)),
  findings("needs of tests", async () => (await ImportGraph.read(checkout)).problems()),
  findings("generated files", staleGeneratedFiles),
];

const failed: string[] = [];
for (const check of checks) {
  const startedAt = performance.now();
  const holds = await check.run();
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${holds ? "ok    " : "FAILED"} ${check.name} (${seconds} s)`);
  if (!holds) failed.push(check.name);
}
if (failed.length > 0) console.error(`verify failed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
