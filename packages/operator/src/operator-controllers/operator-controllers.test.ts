import { FakeInformer } from "@stowage/kube/testing";
import type { LogLevel, ManagementState } from "@stowage/machinery";
import { describe, expect, it, test } from "vitest";
import { TerminalError } from "../controllers/index.ts";
import { OperatorWorld } from "../fixtures/operator-world.ts";
import { type LogLevelControl, logLevelController } from "./log-level-controller.ts";
import { managementStateController } from "./management-state-controller.ts";
import { type OperatorControllerSpec, operatorController } from "./operator-controller.ts";
import { startingAfter, watching } from "./operator-watch.ts";
import { staleConditionsController } from "./stale-conditions.ts";

const managed = (managementState: string, rest: object = {}) => ({
  managementState: managementState as ManagementState,
  ...rest,
});

/** A controller that notes when it did what. */
function noting(world: OperatorWorld, spec: Partial<OperatorControllerSpec> = {}) {
  const done: string[] = [];
  const note = (what: string) => async () => void done.push(`${what}@${world.clock.monotonicMs()}`);
  const controller = operatorController(world.deps, {
    name: "Foo",
    sync: note("sync"),
    remove: note("remove"),
    syncWithout: note("without"),
    ...spec,
  });
  return { controller, done };
}

describe("a controller of an operator", () => {
  it("syncs at the start, when its resource changes, when something watched does, and regularly", async () => {
    const world = new OperatorWorld();
    const informer = new FakeInformer();
    const watches = [watching(informer, { matches: ({ metadata }) => metadata.name === "ours" })];
    const { controller, done } = noting(world, { watches, resyncMs: 60_000, reportsDegraded: false });
    await world.runFor(controller, async () => {
      expect(done).toEqual(["sync@0"]);
      world.change({ spec: managed("Managed", { logLevel: "Debug" }) });
      await world.settle();
      informer.set("foreign");
      await world.settle();
      expect(done).toHaveLength(2);
      informer.set("ours");
      await world.settle();
      expect(done).toHaveLength(3);
      await world.clock.advance(60_000);
      await world.settle();
      expect(done.at(-1)).toBe("sync@60000");
      controller.trigger();
      await world.settle();
      expect(done).toHaveLength(5);
    });
    expect(world.clock.sleeping).toBe(0);
  });

  it("can be told to begin after others have looked once, whatever came of that", async () => {
    const world = new OperatorWorld();
    const failing = noting(world, {
      sync: () => Promise.reject(new Error("not now")),
      reportsDegraded: false,
    });
    const watches = [startingAfter([failing.controller])];
    const { controller, done } = noting(world, { watches, reportsDegraded: false });
    await world.runFor(controller, async () => {
      expect(done).toEqual([]);
      await world.runFor(failing.controller, async () => world.settle());
      await world.settle();
      expect(done).toEqual(["sync@0"]);
    });
  });

  it("does not begin after others that have nothing to look at, and stops waiting when it is told to", async () => {
    const world = new OperatorWorld();
    const other = noting(world);
    const { controller, done } = noting(world, { watches: [startingAfter([other.controller])] });
    world.remove();
    await world.runFor(controller, () => world.runFor(other.controller, async () => world.settle()));
    expect([other.done, done]).toEqual([["without@0"], []]);
  });

  test.each([
    ["Managed", "sync@0"],
    ["Removed", "remove@0"],
    ["Unmanaged", undefined],
  ])("in state %s does %s", async (state, expected) => {
    const world = new OperatorWorld(managed(state));
    const { controller, done } = noting(world);
    await world.runFor(controller, async () => {});
    expect(done).toEqual(expected === undefined ? [] : [expected, ...done.slice(1)]);
    expect(world.conditions).toEqual(["FooDegraded=False/AsExpected: "]);
  });

  it("acts in every state if it has to", async () => {
    const world = new OperatorWorld(managed("Unmanaged"));
    const { controller, done } = noting(world, { ignoresManagementState: true });
    await world.runFor(controller, async () => {});
    expect(done[0]).toBe("sync@0");
  });

  it("without a resource does what it has for that, and reports nothing", async () => {
    const world = new OperatorWorld();
    world.remove();
    const { controller, done } = noting(world);
    await world.runFor(controller, async () => {});
    expect(done).toEqual(["without@0"]);
    expect(world.requests).toEqual([]);
  });
});

describe("before everything is known", () => {
  it("nothing is done, so that nothing is taken for missing", async () => {
    const world = new OperatorWorld();
    const known = Promise.withResolvers<void>();
    const informer = new FakeInformer();
    informer.waitForSync = () => known.promise;
    const { controller, done } = noting(world, { watches: [watching(informer)] });
    await world.runFor(controller, async () => {
      expect(done).toEqual([]);
      known.resolve();
      await world.settle();
      expect(done[0]).toBe("sync@0");
    });
  });

  it("a controller can be stopped", async () => {
    const world = new OperatorWorld();
    const informer = new FakeInformer();
    const stop = new AbortController();
    informer.waitForSync = async () => {
      stop.abort();
      throw new Error("stopped");
    };
    const { controller, done } = noting(world, { watches: [watching(informer)] });
    await controller.run(stop.signal);
    expect(done).toEqual([]);
  });

  it("a controller ends with what kept it", async () => {
    const world = new OperatorWorld();
    const informer = new FakeInformer();
    informer.waitForSync = () => Promise.reject(new Error("may not list"));
    const { controller } = noting(world, { watches: [watching(informer)] });
    await expect(controller.run(new AbortController().signal)).rejects.toThrow("may not list");
  });
});

describe("a controller that may take its time", () => {
  it("says that it is well at its second look, and at once from then on", async () => {
    const world = new OperatorWorld();
    const deps = { ...world.deps, firstReportMs: 3_000 };
    let looks = 0;
    const controller = operatorController(deps, { name: "Foo", sync: async () => void looks++ });
    await world.runFor(controller, async () => {
      expect([looks, world.requests]).toEqual([1, []]);
      await world.clock.advance(3_000);
      await world.settle();
      expect(looks).toBeGreaterThan(1);
      expect(world.conditions).toEqual(["FooDegraded=False/AsExpected: "]);
    });
  });

  it("takes it also to say that its management state is one that it knows, and none when it is not", async () => {
    const world = new OperatorWorld();
    const deps = { ...world.deps, firstReportMs: 3_000 };
    await world.runFor(managementStateController(deps, { name: "Kit" }), async () => {
      expect(world.requests).toEqual([]);
      await world.clock.advance(3_000);
      await world.settle();
      expect(world.conditions).toEqual(["ManagementStateDegraded=False/: "]);
    });
    const other = new OperatorWorld({ managementState: "Force" });
    const otherDeps = { ...other.deps, firstReportMs: 3_000 };
    await other.runFor(managementStateController(otherDeps, { name: "Kit" }), async () => {
      expect(other.conditions.join()).toContain("ManagementStateDegraded=True/Unknown");
    });
  });

  it("says at once that it is not", async () => {
    const world = new OperatorWorld();
    const deps = { ...world.deps, firstReportMs: 3_000 };
    const controller = operatorController(deps, { name: "Foo", sync: () => Promise.reject(new Error("no proxy yet")) });
    await world.runFor(controller, async () => {
      expect(world.conditions).toEqual(["FooDegraded=True/SyncError: no proxy yet"]);
    });
  });
});

describe("a sync that fails", () => {
  it("becomes an event, a condition by a manager of its own, and another try; success takes it back", async () => {
    const world = new OperatorWorld();
    const outcomes = ["no proxy yet", "no proxy yet", "no image"];
    const { controller } = noting(world, {
      sync: async () => {
        const outcome = outcomes.shift();
        if (outcome !== undefined) throw new Error(outcome);
      },
    });
    await world.runFor(controller, async () => {
      expect(world.conditions).toEqual(["FooDegraded=True/SyncError: no proxy yet"]);
      expect(world.requests).toEqual(["APPLY status Foo-reportDegraded"]);
      await world.clock.advance(1000);
      await world.settle();
    });
    expect(world.events.lines).toEqual(["Warning SyncError Foo: no proxy yet", "Warning SyncError Foo: no image"]);
    expect(world.conditions).toEqual(["FooDegraded=False/AsExpected: "]);
    expect(world.requests).toHaveLength(3);
  });

  it("is not tried again by itself when that would not help", async () => {
    const world = new OperatorWorld();
    let tries = 0;
    const { controller } = noting(world, {
      sync: async () => {
        if (tries++ > 0) return;
        world.isLagging = true; // The report itself must not count as a change.
        throw new TerminalError("never");
      },
    });
    await world.runFor(controller, () => world.clock.advance(600_000));
    expect(tries).toBe(1);
    expect(world.conditions).toEqual(["FooDegraded=True/SyncError: never"]);
  });

  it("is tried again although it could not be reported", async () => {
    const world = new OperatorWorld();
    let tries = 0;
    world.before = () => {
      throw new Error("status cannot be written");
    };
    const { controller } = noting(world, {
      sync: async () => {
        tries++;
        throw new Error("no");
      },
    });
    await world.runFor(controller, () => world.clock.advance(1000));
    expect(tries).toBeGreaterThan(2);
  });

  it("because the process stops is no failure", async () => {
    const world = new OperatorWorld();
    const stop = new AbortController();
    const { controller } = noting(world, {
      sync: async ({ signal }) => {
        stop.abort();
        signal.throwIfAborted();
      },
    });
    await controller.run(stop.signal);
    expect(world.events.lines).toEqual([]);
    expect(world.requests).toEqual([]);
  });

  it("that only asks to come back is no failure", async () => {
    const world = new OperatorWorld();
    let syncs = 0;
    const { controller } = noting(world, {
      sync: async () => (syncs++ < 2 ? { requeueAfterMs: 500 } : undefined),
    });
    await world.runFor(controller, () => world.clock.advance(5000));
    expect(syncs).toBeGreaterThanOrEqual(3);
    expect(world.conditions).toEqual(["FooDegraded=False/AsExpected: "]);
  });
});

describe("the log level", () => {
  function controlAt(level: LogLevel | undefined): LogLevelControl & { level: LogLevel | undefined } {
    return {
      level,
      setLevel(wanted) {
        this.level = wanted;
      },
    };
  }

  test.each<[string, LogLevel | undefined, string | undefined, LogLevel, string[]]>([
    ["is set at the start, without an event", undefined, undefined, "Normal", []],
    [
      "follows the resource",
      "Normal",
      "Debug",
      "Debug",
      ['Normal OperatorLogLevelChange Operator log level changed from "Normal" to "Debug"'],
    ],
    ["stays when it is right", "Trace", "Trace", "Trace", []],
    [
      "falls back from nonsense",
      "Normal",
      "Loud",
      "Normal",
      ['Warning OperatorLogLevelInvalid Invalid logLevel "Loud", falling back to "Normal"'],
    ],
  ])("%s", async (...[, current, asked, expected, events]) => {
    const world = new OperatorWorld(managed("Unmanaged", { operatorLogLevel: asked }));
    const control = controlAt(current);
    await world.runFor(logLevelController(world.deps, { control }), async () => {});
    expect(control.level).toBe(expected);
    expect(world.events.lines).toEqual(events);
  });

  it("that cannot be set is told", async () => {
    const world = new OperatorWorld(managed("Managed", { operatorLogLevel: "Debug" }));
    const control: LogLevelControl = {
      level: "Normal",
      setLevel() {
        throw new Error("no such level");
      },
    };
    await world.runFor(logLevelController(world.deps, { control }), async () => {});
    expect(world.events.lines[0]).toBe(
      'Warning OperatorLogLevelChangeFailed Unable to change operator log level from "Normal" to "Debug": no such level',
    );
  });
});

describe("the management state", () => {
  const no = { allowsUnmanaged: false, allowsRemoved: false };
  const yes = { allowsUnmanaged: true, allowsRemoved: true };

  test.each([
    ["Managed", no, "ManagementStateDegraded=False/: "],
    ["Unmanaged", yes, "ManagementStateDegraded=False/: "],
    ["Unmanaged", no, "ManagementStateDegraded=True/Unmanaged: Unmanaged is not supported for storage operator"],
    ["Removed", yes, "ManagementStateDegraded=False/: "],
    ["Removed", no, "ManagementStateDegraded=True/Removed: Removed is not supported for storage operator"],
    ["Force", yes, 'ManagementStateDegraded=True/Unknown: Unsupported management state "Force" for storage operator'],
    ["", yes, 'ManagementStateDegraded=True/Unknown: Unsupported management state "" for storage operator'],
  ])("%s of an operator that allows %o is %s", async (state, policy, expected) => {
    const world = new OperatorWorld(managed(state), policy);
    await world.runFor(managementStateController(world.deps, { name: "storage" }), async () => {});
    expect(world.conditions).toEqual([expected]);
    expect(world.requests).toEqual(["APPLY status storage-ManagementState"]);
  });

  it("cannot be told without a resource", async () => {
    const world = new OperatorWorld({}, no);
    world.remove();
    await world.runFor(managementStateController(world.deps, { name: "storage" }), async () => {});
    expect(world.events.lines).toEqual([
      "Warning StatusNotFound Unable to determine current operator status for storage",
    ]);
  });
});

it("stale conditions go, also those that come later, in every state", async () => {
  const world = new OperatorWorld(managed("Unmanaged"));
  const conditions = [
    { type: "Old", status: "True" as const, lastTransitionTime: "t" },
    { type: "Kept", status: "True" as const, lastTransitionTime: "t" },
  ];
  const controller = staleConditionsController(world.deps, { name: "storage", types: ["Old"] });
  await world.runFor(controller, async () => {
    expect(world.requests).toEqual([]);
    world.change({ status: { conditions } });
    await world.settle();
    expect(world.conditions).toEqual(["Kept=True/: "]);
  });
});
