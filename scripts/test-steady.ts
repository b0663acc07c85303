// `npm run test:steady -- FILE… [--times 20] [--busy 2]`: runs files again and again, and tells how often each passed.
import { dirname } from "node:path";
import { checkout } from "./checkout.ts";
import { readFlags } from "./tests/command-flags.ts";
import { measureSteadiness, steadinessTable } from "./tests/steadiness.ts";
import { isIn, listTestFiles } from "./tests/test-file.ts";

const usage = `usage: npm run test:steady -- FILE… [--times 20] [--busy 2]

Runs test files (or all of a folder) so often, beside so many busy loops: every second time all of them in one process, in an order of
chance, and else each alone. A test enters the gate when it has passed 20 of 20 times beside two busy loops.`;

const options = { times: { type: "string", default: "20" }, busy: { type: "string", default: "2" } } as const;
const { values, positionals } = readFlags(options, usage);
const [times, busy] = [Number(values.times), Number(values.busy)];
const all = await listTestFiles(checkout);
const files = all.filter(({ path }) => positionals.some((word) => isIn(path, word.replace(/\/$/u, ""))));

if (files.length === 0 || !Number.isInteger(times) || times < 1 || !Number.isInteger(busy) || busy < 0) {
  console.error(positionals.length > 0 && files.length === 0 ? `no test file is ${positionals.join(" or ")}` : usage);
  process.exitCode = 2;
} else {
  const neighbours = all.filter(
    ({ path, place }) => place === "unit" && files[0]?.place === place && isBeside(path, files[0].path),
  );
  const rows = await measureSteadiness(files, { times, busy, neighbours });
  console.log(steadinessTable(rows));
  const passed = rows.filter((row) => row.passed === row.times).length;
  console.log(`${passed} passed, ${rows.length - passed} failed`);
  process.exitCode = passed === rows.length ? 0 : 1;
}

function isBeside(path: string, other: string): boolean {
  return path !== other && dirname(path) === dirname(other);
}
