import { describe, it } from "vitest";
import { startExplainCluster } from "./fixtures/explain-cluster.ts";
import { judge } from "./fixtures/scenario.ts";
import { bareScenarios, uncontrolledSnapshot } from "./scenarios/bare-scenarios.ts";

describe("a cause of a whole cluster", () => {
  it.for(bareScenarios)("$cause is found when $when", async (scenario, { expect }) => {
    await using cluster = await startExplainCluster({ crds: [] });
    await judge(cluster, scenario, expect);
  });

  it("SNAPSHOT_CONTROLLER_ABSENT is found when nothing runs the snapshot controller", async ({ expect }) => {
    await using cluster = await startExplainCluster({ crds: ["snapshots"], hasSnapshotController: false });
    await judge(cluster, uncontrolledSnapshot, expect);
  });
});
