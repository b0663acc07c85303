import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { loadAreas } from "./embedded-controllers/areas.ts";
import { startClusters } from "./embedded-controllers/clusters.ts";
import { openScene } from "./embedded-controllers/scene.ts";
import { compareAreas } from "./embedded-scenarios/comparison.ts";
import { describeChance, describeCompared } from "./embedded-scenarios/report.ts";

/** The same scenarios with the real controllers and with ours: they must end in the same objects. */
const areas = await loadAreas();
/** For all areas together on a busy machine. */
const ALL_MS = 600_000;

let clusters: Awaited<ReturnType<typeof startClusters>>;

beforeAll(async () => {
  clusters = await startClusters({ realKubeconfig: inject("kubeconfig") });
});

afterAll(() => clusters[Symbol.asyncDispose]());

describe("with the embedded controllers", () => {
  it("no two scenarios have one name", () => {
    const names = areas.flatMap(({ name, scenarios }) => scenarios.map((scenario) => `${name}: ${scenario.name}`));
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("every scenario ends in the same objects as with the real ones", { timeout: ALL_MS }, async () => {
    const compared = await compareAreas({ clusters, open: openScene }, areas);
    console.info(describeChance(compared));
    expect(compared.filter(({ differences }) => differences.length > 0).map(describeCompared)).toEqual([]);
  });
});
