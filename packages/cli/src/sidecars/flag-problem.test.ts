import { expect, it } from "vitest";
import { flagProblem } from "./flag-problem.ts";

const sound = { leaderElection: true, leaderElectionLabels: "app=csi,team=", httpEndpoint: ":8080" };

it("finds nothing wrong with flags that go together", () => {
  expect(flagProblem(sound)).toBeUndefined();
  expect(flagProblem({ leaderElection: false, nodeDeployment: true })).toBeUndefined();
});

it.each([
  [{ ...sound, metricsAddress: ":8081" }, "give one of the two"],
  [{ ...sound, nodeDeployment: true }, "has no place with --node-deployment"],
  [{ ...sound, leaderElectionLabels: "app=csi,team" }, '"team" is not KEY=VALUE'],
  [{ ...sound, leaderElectionLabels: "=csi" }, '"=csi" is not KEY=VALUE'],
])("finds what is wrong with %o", (options, words) => {
  expect(flagProblem(options)).toContain(words);
});
