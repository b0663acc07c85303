import { parseArgs } from "node:util";
import { compareScene, describeDifference, isSame } from "./comparison.ts";
import { startServers } from "./servers.ts";
import { session } from "./session.ts";

/**
 * `node test/api/embedded-kubectl/compare.ts [scene…] [--show] [--kubectl PATH]`: where kubectl says something else with the
 * embedded API server than with a real one; with `--show`, all that it says.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { show: { type: "boolean" }, kubectl: { type: "string" } },
});

await using servers = await startServers(values.kubectl);
for (const scene of session.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  const compared = await compareScene(servers, scene);
  for (const each of compared) {
    if (values.show) process.stdout.write(`$ ${each.command}\n${each.real.lines.join("\n")}\n`);
    if (!isSame(each)) process.stdout.write(`✗ ${describeDifference(each)}\n`);
  }
  const differing = compared.filter((each) => !isSame(each));
  process.stdout.write(`${scene.name}: ${compared.length} commands, ${differing.length} differ\n`);
}
