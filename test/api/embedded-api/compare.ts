import { parseArgs } from "node:util";
import { type Compared, compareArea } from "./comparison.ts";
import { loadCorpus } from "./corpus.ts";
import { describeCompared } from "./report.ts";
import { startServers } from "./servers.ts";

/**
 * `node test/api/embedded-api/compare.ts [area…] [--only TEXT] [--self]`: where the embedded API server answers otherwise than
 * the real one, which is the one of STOWAGE_REAL_KUBECONFIG, or else a temporary one.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string" }, self: { type: "boolean" } },
});

const areas = await loadCorpus(positionals);
const servers = await startServers({
  realKubeconfig: process.env["STOWAGE_REAL_KUBECONFIG"],
  isSelfTest: values.self ?? false,
});
try {
  for (const area of areas) {
    const sequences = area.sequences.filter(({ name }) => name.includes(values.only ?? ""));
    report(area.name, await compareArea(servers, { ...area, sequences }));
  }
} finally {
  await servers[Symbol.asyncDispose]();
}

function report(area: string, compared: readonly Compared[]): void {
  const differing = compared.filter(({ differences }) => differences.length > 0);
  for (const each of differing) process.stdout.write(`${describeCompared(each)}\n`);
  const steps = compared.reduce((sum, { sequence }) => sum + sequence.steps.length, 0);
  process.stdout.write(`${area}: ${compared.length} sequences, ${steps} steps, ${differing.length} differ\n`);
}
