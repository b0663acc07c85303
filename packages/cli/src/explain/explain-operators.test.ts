import { afterAll, beforeAll, describe, it } from "vitest";
import { type ExplainCluster, startExplainCluster } from "./fixtures/explain-cluster.ts";
import { judge } from "./fixtures/scenario.ts";
import { failingDriverOperator, operatorScenarios, startOperators } from "./scenarios/operator-scenarios.ts";

const stack = new AsyncDisposableStack();
let cluster: ExplainCluster;

beforeAll(async () => {
  cluster = stack.use(await startExplainCluster());
  await startOperators(cluster, stack);
});
afterAll(() => stack.disposeAsync());

// One after the other: they change what all of them share.
describe("a cause in the operators", () => {
  it.for(operatorScenarios)("$cause is found when $when", (scenario, { expect }) => judge(cluster, scenario, expect));

  it("DRIVER_OPERATOR_DEGRADED is found when the namespace of the drivers is gone", async ({ expect }) => {
    await using own = new AsyncDisposableStack();
    const other = own.use(await startExplainCluster());
    await startOperators(other, own, { hasNamespace: false });
    await judge(other, failingDriverOperator, expect);
  });
});
