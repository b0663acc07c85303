import { afterAll, beforeAll, describe, it } from "vitest";
import type { ExplainCluster } from "./fixtures/explain-cluster.ts";
import { startNodeCluster } from "./fixtures/node-cluster.ts";
import { judge } from "./fixtures/scenario.ts";
import { nodeScenarios } from "./scenarios/node-scenarios.ts";

let cluster: ExplainCluster;

beforeAll(async () => {
  cluster = await startNodeCluster();
});
afterAll(() => cluster[Symbol.asyncDispose]());

describe("a cause on a node", () => {
  it.for(nodeScenarios)("$cause is found when $when", (scenario, { expect }) => judge(cluster, scenario, expect));
});
