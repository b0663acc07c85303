import { afterAll, beforeAll, describe, it } from "vitest";
import { type ExplainCluster, startExplainCluster } from "./fixtures/explain-cluster.ts";
import { judge } from "./fixtures/scenario.ts";
import { attachmentScenarios } from "./scenarios/attachment-scenarios.ts";
import { claimScenarios } from "./scenarios/claim-scenarios.ts";
import { driverScenarios } from "./scenarios/driver-scenarios.ts";
import { groupScenarios } from "./scenarios/group-scenarios.ts";
import { schedulingScenarios } from "./scenarios/scheduling-scenarios.ts";
import { sourceScenarios } from "./scenarios/source-scenarios.ts";

const scenarios = [
  ...claimScenarios,
  ...driverScenarios,
  ...sourceScenarios,
  ...groupScenarios,
  ...schedulingScenarios,
  ...attachmentScenarios,
];

let cluster: ExplainCluster;

beforeAll(async () => {
  cluster = await startExplainCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());

describe.concurrent("a cause", () => {
  it.for(scenarios)("$cause is found when $when", (scenario, { expect }) => judge(cluster, scenario, expect));
});
