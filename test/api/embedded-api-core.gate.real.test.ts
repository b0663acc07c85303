import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compareArea } from "./embedded-api/comparison.ts";
import { loadCorpus } from "./embedded-api/corpus.ts";
import { isMeant } from "./embedded-api/meant-differences.ts";
import { describeCompared } from "./embedded-api/report.ts";
import { startServers } from "./embedded-api/servers.ts";

// Some areas of the corpus, one for each way that a request goes; `embedded-api.real.test.ts` has all of them.
const names = [
  "admission-security",
  "generated-patches",
  "storage-claims",
  "storage-volumes",
  "tables-storage",
  "verbs-access",
  "verbs-applies",
  "verbs-creates",
  "verbs-updates",
  "workloads-apps",
];
const areas = await loadCorpus(names);

let servers: Awaited<ReturnType<typeof startServers>>;

beforeAll(async () => {
  servers = await startServers({});
});

afterAll(() => servers[Symbol.asyncDispose]());

describe("the embedded API server answers as the real one does", () => {
  it.each(areas.map((area) => [area.name, area] as const))("in %s", async (_name, area) => {
    const compared = await compareArea(servers, area);
    expect(compared.length).toBeGreaterThan(0);
    const differing = compared.filter((each) => each.differences.length > 0 && !isMeant(each));
    expect(differing.map(describeCompared)).toEqual([]);
  });
});
