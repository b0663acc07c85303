import { expect, it } from "vitest";
import { causeCatalogue } from "./causes.ts";
import { attachmentScenarios } from "./scenarios/attachment-scenarios.ts";
import { bareScenarios, uncontrolledSnapshot } from "./scenarios/bare-scenarios.ts";
import { claimScenarios } from "./scenarios/claim-scenarios.ts";
import { driverScenarios } from "./scenarios/driver-scenarios.ts";
import { groupScenarios } from "./scenarios/group-scenarios.ts";
import { nodeScenarios } from "./scenarios/node-scenarios.ts";
import { failingDriverOperator, operatorScenarios } from "./scenarios/operator-scenarios.ts";
import { schedulingScenarios } from "./scenarios/scheduling-scenarios.ts";
import { sourceScenarios } from "./scenarios/source-scenarios.ts";

it("every cause has a scenario that makes it for real", () => {
  const made = [
    ...attachmentScenarios,
    ...bareScenarios,
    ...claimScenarios,
    ...driverScenarios,
    ...groupScenarios,
    ...nodeScenarios,
    ...operatorScenarios,
    ...schedulingScenarios,
    ...sourceScenarios,
    failingDriverOperator,
    uncontrolledSnapshot,
  ];
  const causes = new Set(made.map(({ cause }) => cause));
  expect([...causes].toSorted()).toEqual(Object.keys(causeCatalogue).toSorted());
});
