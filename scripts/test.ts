// `npm test`: everything that needs Node alone. Words after `--` are passed on to vitest.
import { printClosing } from "./tests/closing-table.ts";
import { runVitest } from "./tests/vitest-run.ts";

const flags = process.argv.slice(2);
// A run of some tests does not replace the report of all.
const suite = flags.length === 0 ? "unit" : "unit-filtered";
const { results, seconds } = await runVitest({ suite, places: ["unit", "isolated"], flags });
process.exitCode = printClosing([{ name: suite, results, seconds }]) ? 0 : 1;
