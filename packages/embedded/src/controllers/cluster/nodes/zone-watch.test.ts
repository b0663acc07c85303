import { ManualClock } from "@stowage/machinery/testing";
import { beforeEach, expect, it } from "vitest";
import { node } from "../fixtures/cluster-objects.ts";
import type { ReadyStatus } from "./node-taints.ts";
import { ZoneWatch } from "./zone-watch.ts";

let clock: ManualClock;
let zones: ZoneWatch;

beforeEach(() => {
  clock = new ManualClock();
  zones = new ZoneWatch(clock);
});

const inZone = (name: string, zone: string) =>
  node(name, { metadata: { labels: { "topology.kubernetes.io/zone": zone } } });

/** The nodes of zones by their readiness: `{ east: ["True", "False"] }`. */
const look = (all: Readonly<Record<string, readonly ReadyStatus[]>>) =>
  zones.update(
    Object.entries(all).flatMap(([zone, statuses]) =>
      statuses.map((ready, at) => ({ node: inZone(`${zone}-${at}`, zone), ready })),
    ),
  );

it("gives up nodes one after another, ten seconds apart", async () => {
  look({ east: ["True", "True", "False", "False"] });
  zones.add(inZone("east-2", "east"));
  zones.add(inZone("east-3", "east"));
  expect(zones.due()).toEqual(["east-2"]);
  expect(zones.due()).toEqual([]);
  await clock.advance(10_000);
  expect(zones.due()).toEqual(["east-3"]);
});

it("does not give up a node that is back in time", () => {
  zones.add(inZone("east-0", "east"));
  zones.remove(inZone("east-0", "east"));
  expect(zones.due()).toEqual([]);
});

it("gives up none when all nodes of the cluster are lost, until one is back", () => {
  expect(look({ east: ["True"], west: ["True"] })).toBe("usual");
  expect(look({ east: ["Unknown"], west: ["Unknown"] })).toBe("allLost");
  zones.add(inZone("east-0", "east"));
  expect(zones.due()).toEqual([]);
  expect(look({ east: ["Unknown"], west: ["Unknown"] })).toBe("usual");
  expect(look({ east: ["Unknown"], west: ["True"] })).toBe("back");
  expect(zones.due()).toEqual(["east-0"]);
});

it("gives up the nodes of a zone that is lost when others are not", () => {
  look({ east: ["Unknown"], west: ["True"] });
  zones.add(inZone("east-0", "east"));
  expect(zones.due()).toEqual(["east-0"]);
});

it("gives up none where most nodes of a small zone are lost", () => {
  look({ east: ["True", "Unknown", "Unknown", "Unknown"] });
  zones.add(inZone("east-1", "east"));
  expect(zones.due()).toEqual([]);
});
