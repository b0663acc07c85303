import type { Clock, Node } from "@stowage/machinery";
import type { ReadyStatus } from "./node-taints.ts";
import { evictionRate, type ZoneState, zoneOf, zoneState } from "./zone-disruption.ts";
import { ZoneEvictions } from "./zone-evictions.ts";

interface Zone {
  state: ZoneState;
  readonly evictions: ZoneEvictions;
}

const EXCLUDED_LABEL = "node.kubernetes.io/exclude-disruption";

/** `allLost`: since this look no node is ready; `back`: since this look one is again. */
type Mode = "allLost" | "back" | "usual";

/** How the zones of the cluster fare, and which of their nodes are to be given up. */
export class ZoneWatch {
  readonly #clock: Clock;
  readonly #zones = new Map<string, Zone>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(node: Node): void {
    this.#zone(zoneOf(node)).evictions.add(node.metadata.name ?? "");
  }

  remove(node: Node): void {
    this.#zones.get(zoneOf(node))?.evictions.remove(node.metadata.name ?? "");
  }

  /** The nodes whose turn has come. */
  due(): string[] {
    return [...this.#zones.values()].flatMap(({ evictions }) => evictions.take() ?? []);
  }

  update(looked: readonly { readonly node: Node; readonly ready: ReadyStatus | undefined }[]): Mode {
    const counted = looked.filter(({ node }) => node.metadata.labels?.[EXCLUDED_LABEL] === undefined);
    const byZone = Map.groupBy(counted, ({ node }) => zoneOf(node));
    const before = [...this.#zones.values()];
    const wasAllLost = before.length > 0 && before.every(({ state }) => state === "FullDisruption");
    for (const name of [...this.#zones.keys()].filter((each) => !byZone.has(each))) this.#zones.delete(name);
    const states = new Map([...byZone].map(([name, all]) => [name, zoneState(all.map(({ ready }) => ready))]));
    const isAllLost = [...states.values()].every((state) => state === "FullDisruption");
    if (isAllLost && wasAllLost) return "usual";
    for (const [name, state] of states) {
      const zone = this.#zone(name);
      zone.state = state;
      zone.evictions.setRate(isAllLost ? 0 : evictionRate(state, byZone.get(name)?.length ?? 0));
    }
    if (isAllLost) return "allLost";
    return wasAllLost ? "back" : "usual";
  }

  #zone(name: string): Zone {
    const zone = this.#zones.get(name) ?? newZone(this.#clock);
    this.#zones.set(name, zone);
    return zone;
  }
}

function newZone(clock: Clock): Zone {
  return { state: "Initial", evictions: new ZoneEvictions(clock, evictionRate("Normal", 0)) };
}
