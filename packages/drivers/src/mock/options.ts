import { type Clock, systemClock } from "@stowage/machinery";
import type { RequiredSecrets } from "./required-secrets.ts";

export type MockService = "controller" | "node";

/** What not every driver can do, beside to attach. */
const mockAbilities = ["expand", "snapshots", "group-snapshots", "clones", "modify"] as const;

export type MockAbility = (typeof mockAbilities)[number];

/** Every option but the node's may be left out. */
export interface MockDriverOptions extends Partial<MockSettings> {
  readonly nodeId: string;
}

export interface MockSettings {
  /** The driver to stand in for: any name. */
  readonly name: string;
  readonly vendorVersion: string;
  readonly nodeId: string;
  readonly services: readonly MockService[];
  /** Where volumes, and what is staged and published on the node, are kept; in memory alone when left out. */
  readonly stateDir?: string;

  /** The nodes that volumes can be attached to; this driver's own when left out. */
  readonly attachableNodes?: readonly string[] | "any";
  /** False: there is no controller publish, as with network file systems. */
  readonly attaches: boolean;
  /** What it offers; all that there is when left out. */
  readonly abilities: readonly MockAbility[];
  /** No limit when 0. */
  readonly maxVolumesPerNode: number;
  /** Where this node is, such as `{ "topology.ebs.csi.aws.com/zone": "a" }`; no topology when empty. */
  readonly topology: Readonly<Record<string, string>>;

  readonly capacityBytes: bigint;
  readonly maxVolumeBytes: bigint;
  readonly expansion: "online" | "offline";
  /** The keys that a VolumeAttributesClass may set. */
  readonly mutableParameters: readonly string[];
  /** How long a new snapshot is not ready to use. */
  readonly snapshotDelayMs: number;
  readonly secrets: RequiredSecrets;
  /** The driver is served with what CSI 1.13 adds, and so without volume conditions, which it took away. */
  readonly gate13: boolean;
  readonly clock: Clock;
}

const GIB = 1024n ** 3n;

/** Of a volume whose creator does not care. */
export const DEFAULT_VOLUME_BYTES = GIB;

export const MOCK_DRIVER_NAME = "mock.csi.stowage.dev";

export function withDefaults(options: MockDriverOptions): MockSettings {
  return {
    name: MOCK_DRIVER_NAME,
    vendorVersion: "0.1.0",
    services: ["controller", "node"],
    attaches: true,
    abilities: mockAbilities,
    maxVolumesPerNode: 0,
    topology: {},
    capacityBytes: 100n * 1024n * GIB,
    maxVolumeBytes: 16n * 1024n * GIB,
    expansion: "online",
    mutableParameters: ["type", "iops", "throughput"],
    snapshotDelayMs: 0,
    secrets: {},
    gate13: false,
    clock: systemClock,
    ...definedOf(options),
  };
}

/** An option that is given as undefined is left out. */
function definedOf(options: MockDriverOptions): MockDriverOptions {
  return Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as unknown as MockDriverOptions;
}
