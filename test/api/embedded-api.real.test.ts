import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareArea } from "./embedded-api/comparison.ts";
import { loadCorpus } from "./embedded-api/corpus.ts";
import { seed } from "./embedded-api/generated-steps.ts";
import { isMeant, meantDifferences, nameOf } from "./embedded-api/meant-differences.ts";
import { describeCompared } from "./embedded-api/report.ts";
import { startServers } from "./embedded-api/servers.ts";

/** The same requests to the real API server and to ours: the answers must be the same, but for what no two servers have in common. */
const areas = await loadCorpus();
const leastSequences = 1_500;
/** For an area on a busy machine: the real server takes its time over definitions that go. */
const AREA_MS = 600_000;

let servers: Awaited<ReturnType<typeof startServers>>;

beforeAll(async () => {
  // One of its own, without controllers: they would answer with more than was asked.
  servers = await startServers({});
});

afterAll(() => servers[Symbol.asyncDispose]());

describe(`the embedded API server answers as the real one does (seed ${seed})`, () => {
  it("to a corpus that is large enough, in which no two sequences have one name", () => {
    const names = areas.flatMap(({ name, sequences }) => sequences.map((sequence) => `${name}: ${sequence.name}`));
    expect(names.length).toBeGreaterThanOrEqual(leastSequences);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(Object.keys(meantDifferences).filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(areas.map((area) => [area.name, area] as const))("in %s", { timeout: AREA_MS }, async (_name, area) => {
    const compared = await compareArea(servers, area);
    const differing = compared.filter(({ differences }) => differences.length > 0);
    expect(differing.filter((each) => !isMeant(each)).map(describeCompared)).toEqual([]);
    const alike = compared.filter((each) => each.differences.length === 0);
    expect(alike.filter(isMeant).map(nameOf), "are listed as different and are not").toEqual([]);
  });
});
