import { describe, expect, it } from "vitest";
import type { Cluster } from "./clusters.ts";
import { compareAreas } from "./comparison.ts";
import { describeChance, describeCompared } from "./report.ts";
import type { Scenario, Scene } from "./scenario.ts";
import type { OpenScene } from "./scene.ts";

const clusters = { real: { runId: "real" } as Cluster, embedded: { runId: "ours" } as Cluster };

/** Plays a scenario of which all that is seen is what `shown` says: of which cluster, and for the how manieth time there. */
async function compared(shown: (runId: string, time: number) => string | Error) {
  const plays: string[] = [];
  const names: string[] = [];
  const open = async ({ runId }: Cluster, name: string) => {
    plays.push(runId);
    names.push(`${name}-${runId}`);
    const said = shown(runId, plays.filter((each) => each === runId).length);
    const scene: Partial<OpenScene> & { said: unknown } = {
      said,
      made: new Set(),
      replacements: [],
      further: async () => ({ calls: [said] }),
      async [Symbol.asyncDispose]() {},
    };
    return scene as OpenScene & { said: unknown };
  };
  const scenario: Scenario<Scene & { said: unknown }> = {
    name: "somebody calls",
    compares: [],
    async run({ said }) {
      if (said instanceof Error) throw said;
    },
  };
  const all = await compareAreas({ clusters, open, differentMs: 0 }, [{ name: "calls", scenarios: [scenario] }]);
  return { all, plays, names, differing: all.filter(({ differences }) => differences.length > 0) };
}

describe("a scenario", () => {
  it("that ends alike is played once on each cluster", async () => {
    const { plays, all, differing } = await compared(() => "hello");
    expect(plays.toSorted()).toEqual(["ours", "real"]);
    expect(differing).toEqual([]);
    expect(describeChance(all)).toBe("");
  });

  it("that the real cluster could not play is played there again, under another name, and on ours once", async () => {
    const { plays, names, all, differing } = await compared((runId, time) =>
      runId === "real" && time < 3 ? new Error("not yet") : "hello",
    );
    expect(plays.toSorted()).toEqual(["ours", "real", "real", "real"]);
    expect(new Set(names).size).toBe(4);
    expect(differing).toEqual([]);
    expect(describeChance(all)).toBe(
      "~ calls: somebody calls: played 3 times on the real cluster, always alike where it came to its end",
    );
  });

  it("that ends otherwise on ours is right when the real cluster has shown that, too", async () => {
    const said = (runId: string, time: number) => (runId === "real" && time < 3 ? "hello" : "goodbye");
    const { plays, all, differing } = await compared(said);
    expect(plays.toSorted()).toEqual(["ours", "real", "real", "real"]);
    expect(differing).toEqual([]);
    expect(describeChance(all)).toContain("played 3 times on the real cluster, in several ways: calls");
  });

  it("that ends otherwise on ours than the real cluster ever showed has failed", async () => {
    const { plays, differing } = await compared((runId, time) => `${runId} ${time}`);
    expect(plays.toSorted()).toEqual(["ours", "real", "real", "real", "real", "real"]);
    expect(differing.map(describeCompared).join("")).toContain("ours 1");
  });

  it("that the real cluster can never play is no success of ours", async () => {
    const { plays, differing } = await compared((runId) => (runId === "real" ? new Error("never") : "hello"));
    expect(plays.filter((runId) => runId === "real")).toHaveLength(5);
    expect(differing.map(describeCompared).join("")).toContain("never");
  });

  it("that fails on ours has failed, and is not tried again anywhere", async () => {
    const { plays, differing } = await compared((runId) => (runId === "ours" ? new Error("broken") : "hello"));
    expect(plays.toSorted()).toEqual(["ours", "real"]);
    expect(differing.map(describeCompared).join("")).toContain("broken");
  });

  it("that fails on both has failed", async () => {
    expect((await compared(() => new Error("broken"))).differing).toHaveLength(1);
  });
});
