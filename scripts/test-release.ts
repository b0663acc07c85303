// `npm run test:release`: lists the groups of the release tier. `-- GROUP…` or `-- FILE…` runs some, `-- --all` all of them, after the checks
// and the unit tests; `--continue` goes on where that was broken off.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { checkout } from "./checkout.ts";
import { readFlags } from "./tests/command-flags.ts";
import { Durations } from "./tests/durations.ts";
import { filesOf, groups } from "./tests/groups.ts";
import { Release } from "./tests/release.ts";
import { listTestFiles } from "./tests/test-file.ts";

const usage = `usage: npm run test:release -- GROUP…      some groups, each at most half an hour on two cores
       npm run test:release -- FILE…       tests of the release tier by their paths
       npm run test:release -- --all       everything: checks, unit tests, all groups
       npm run test:release -- --continue  what a broken-off run has left`;

const options = {
  all: { type: "boolean", default: false },
  continue: { type: "boolean", default: false },
} as const;
const { values, positionals } = readFlags(options, usage);
const files = await listTestFiles(checkout);
const durations = Durations.read();
const names = ["checks", "unit", ...groups.map(({ name }) => name)];
const unknown = positionals.find((word) => !names.includes(word) && !existsSync(word));

if (unknown !== undefined) {
  console.error(`there is no group or file "${unknown}"; the groups are ${names.join(", ")}`);
  process.exitCode = 2;
} else if (values.all || values.continue || positionals.length > 0) {
  const release = new Release({ files, durations, state: sourcesState() });
  const asked = positionals.length > 0 ? positionals : names;
  process.exitCode = (await release.run(asked, { continues: values.continue })) ? 0 : 1;
} else {
  for (const group of groups) {
    const own = filesOf(group, files);
    const minutes = Math.ceil(durations.sum(own) / 60);
    console.log(
      `${group.name.padEnd(10)} ${String(minutes).padStart(3)} min ${String(own.length).padStart(3)} files  ${group.about}`,
    );
  }
  console.log(`\n${usage}`);
}

/** What was tested: results of other sources do not count for these. */
function sourcesState(): string {
  const options = { cwd: checkout, encoding: "utf8", maxBuffer: 1024 ** 3 } as const;
  const git = (...words: string[]) => execFileSync("git", words, options).trim();
  // A run renews durations itself.
  return `${git("rev-parse", "HEAD^{tree}")} ${git("diff", "HEAD", "--", ".", ":!scripts/tests/durations.json")}`;
}
