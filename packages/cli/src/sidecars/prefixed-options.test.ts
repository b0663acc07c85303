import { describe, expect, it } from "vitest";
import { flagOf } from "../options/option-table.ts";
import { combinableSidecars } from "./flags/index.ts";
import { ownValues, prefixedOptions } from "./prefixed-options.ts";

const controller = {
  name: "snapshot-controller",
  summary: "",
  options: { workerThreads: { type: "int", default: 10, help: "at once" } },
} as const;

describe("the flags of several sidecars in one table", () => {
  it("have the sidecar's name before them, and in their help", () => {
    const table = prefixedOptions([controller]);
    expect(Object.keys(table).map(flagOf)).toEqual(["--snapshot-controller-worker-threads"]);
    expect(table.snapshotControllerWorkerThreads).toMatchObject({ default: 10, help: "snapshot-controller: at once" });
  });

  it("never meet: each flag of each sidecar has a name of its own", () => {
    const flags = combinableSidecars.flatMap(({ options }) => Object.keys(options));
    expect(Object.keys(prefixedOptions(combinableSidecars))).toHaveLength(flags.length);
  });

  it("give each sidecar its own values under the names that it knows", () => {
    const values = { snapshotControllerWorkerThreads: 3, attacherWorkerThreads: 7 };
    expect(ownValues(controller, values)).toEqual({ workerThreads: 3 });
  });
});
