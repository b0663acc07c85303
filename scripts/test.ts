// `npm test`: everything that needs Node alone.
import { runTests } from "./vitest-run.ts";

process.exitCode = await runTests("unit", process.argv.slice(2));
