import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeDifference, isSame, type Compared as Said } from "./embedded-kubectl/comparison.ts";
import { loadAreas } from "./embedded-node/areas.ts";
import { startClusters } from "./embedded-node/clusters.ts";
import { compareSession } from "./embedded-node/kubectl/comparison.ts";
import { maintenance, session } from "./embedded-node/kubectl/session.ts";
import { openDifferences } from "./embedded-node/open-differences.ts";
import { openScene } from "./embedded-node/scene.ts";
import { type Compared, compareAreas } from "./embedded-scenarios/comparison.ts";
import { describeChance, describeCompared } from "./embedded-scenarios/report.ts";

/** The same Pods and volumes on a real kubelet and on our node: they must end in the same objects, events and calls of drivers. */
const allAreas = await loadAreas();
/** With STOWAGE_WHOLE_NODE=1 the lives of Pods and kubectl's words as well, in which a busy machine still shows by chance: see docs/design/020. */
const isWhole = process.env["STOWAGE_WHOLE_NODE"] === "1";
const areas = allAreas.filter(({ name }) => isWhole || /^(?:csi|plain-volumes)-/u.test(name));
const names = allAreas.flatMap(({ name, scenarios }) => scenarios.map((scenario) => `${name}: ${scenario.name}`));
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
      isWhole ? compareSession(clusters, session) : [],
    ]);
    compared = scenarios;
    said = isWhole ? [...sessions, ...(await compareSession(clusters, maintenance))] : [];
  }, SET_UP_LIMIT_MS + ALL_MS);

  afterAll(() => clusters?.[Symbol.asyncDispose](), SET_UP_LIMIT_MS);

  const isOpen = ({ area, name }: Compared) => Object.hasOwn(openDifferences, `${area}: ${name}`);

  it("no two scenarios have one name, and what is open is the name of one", () => {
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(Object.keys(openDifferences).filter((name) => !names.includes(name))).toEqual([]);
  });

  it("every scenario ends as on a real kubelet", () => {
    expect(compared.length).toBeGreaterThan(90);
    console.info(describeChance(compared));
    const differing = compared.filter((each) => each.differences.length > 0 && !isOpen(each));
    expect(differing.map(describeCompared)).toEqual([]);
  });

  it.runIf(isWhole)("kubectl says the same of Pods there", () => {
    expect(said.filter((each) => !isSame(each)).map(describeDifference)).toEqual([]);
  });

  it("what is open still is", () => {
    const closed = compared.filter((each) => each.differences.length === 0 && isOpen(each));
    expect(closed.map(({ area, name }) => `${area}: ${name}`)).toEqual([]);
  });
});
