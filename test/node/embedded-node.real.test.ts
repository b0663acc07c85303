import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDifference, isSame, type Compared as Said } from "../api/embedded-kubectl/comparison.ts";
import { type Compared, compareAreas } from "../cluster/embedded-scenarios/comparison.ts";
import { describeChance, describeCompared } from "../cluster/embedded-scenarios/report.ts";
import { loadAreas } from "./embedded-node/areas.ts";
import { startClusters } from "./embedded-node/clusters.ts";
import { compareSession } from "./embedded-node/kubectl/comparison.ts";
import { maintenance, session } from "./embedded-node/kubectl/session.ts";
import { openScene } from "./embedded-node/scene.ts";

/** The same Pods and volumes on a real kubelet and on our node: they must end in the same objects, events and calls of drivers. */
const areas = await loadAreas();
const names = areas.flatMap(({ name, scenarios }) => scenarios.map((scenario) => `${name}: ${scenario.name}`));
const SET_UP_LIMIT_MS = 300_000;
/** For all areas together on a busy machine. */
const ALL_MS = 900_000;

// Both mount; that needs root.
describe.skipIf(process.getuid?.() !== 0)("on the embedded node (needs root)", () => {
  let clusters: Awaited<ReturnType<typeof startClusters>>;
  let compared: readonly Compared[];
  let said: readonly Said[];

  beforeAll(async () => {
    clusters = await startClusters({ labFolder: process.env["STOWAGE_REAL_LAB"] });
    const [scenarios, sessions] = await Promise.all([
      compareAreas({ clusters, open: openScene }, areas),
      compareSession(clusters, session),
    ]);
    compared = scenarios;
    // By itself: who drains a node must meet nobody else's Pods there.
    said = [...sessions, ...(await compareSession(clusters, maintenance))];
  }, SET_UP_LIMIT_MS + ALL_MS);

  afterAll(() => clusters?.[Symbol.asyncDispose](), SET_UP_LIMIT_MS);

  it("no two scenarios have one name", () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it("every scenario ends as on a real kubelet", () => {
    expect(compared).toHaveLength(names.length);
    console.info(describeChance(compared));
    const differing = compared.filter((each) => each.differences.length > 0);
    expect(differing.map(describeCompared)).toEqual([]);
  });

  it("kubectl says the same of Pods there", () => {
    expect(said.filter((each) => !isSame(each)).map(describeDifference)).toEqual([]);
  });
});
