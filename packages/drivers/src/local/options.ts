import { isAbsolute } from "node:path";
import { type Executor, systemExecutor } from "@stowage/csi/host";
import { type Clock, type Logger, labelValueErrors, StowageError, silentLogger, systemClock } from "@stowage/machinery";
import { type FaultPoint, noFaults } from "./fault-points.ts";

export interface LocalDriverOptions {
  /** Where volumes and everything known of them lie; one directory for each node. */
  readonly stateDir: string;
  /** The node's name: where the volumes are reachable. */
  readonly nodeId: string;
  readonly driverName?: string;
  readonly vendorVersion?: string;
  /** Volumes are staged and published below these only. */
  readonly kubeletDirs?: readonly string[];
  /** Marks every volume and snapshot, such as with the cluster's id. */
  readonly extraLabels?: Readonly<Record<string, string>>;
  /** Space of the state directory's file system that volumes are not given. */
  readonly reserveBytes?: bigint;
  /** 0 for no limit. */
  readonly maxVolumesPerNode?: number;
  /** Offers ControllerPublishVolume, for clusters that set `attachRequired`. A local volume has no need of it. */
  readonly isAttachable?: boolean;
  /** `auto`: images where loop devices can be attached, directories elsewhere. */
  readonly contents?: "auto" | "image" | "directory";
  /** The cgroup whose processes I/O limits hold for; kubelet's Pods when left out. */
  readonly ioCgroup?: string;
  /** The driver is served with what CSI 1.13 adds, and so without volume conditions, which it took away. */
  readonly gate13?: boolean;
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly executor?: Executor;
  readonly faultPoint?: FaultPoint;
}

export type ResolvedOptions = Required<Omit<LocalDriverOptions, "ioCgroup">> & Pick<LocalDriverOptions, "ioCgroup">;

/** Part of every PV that exists: another name is another driver, and its volumes are not this one's. */
const defaultDriverName = "local.csi.stowage.dev";

export function resolveOptions(options: LocalDriverOptions): ResolvedOptions {
  const resolved = {
    driverName: defaultDriverName,
    vendorVersion: "0.1.0",
    kubeletDirs: ["/var/lib/kubelet"],
    extraLabels: {},
    reserveBytes: 0n,
    maxVolumesPerNode: 0,
    isAttachable: false,
    gate13: false,
    contents: "auto" as const,
    logger: silentLogger,
    clock: systemClock,
    executor: systemExecutor,
    faultPoint: noFaults,
    ...withoutUndefined(options),
  };
  const complaint = complaintOf(resolved);
  if (complaint) throw new StowageError("LOCAL_DRIVER_OPTIONS_INVALID", `The local driver cannot start: ${complaint}.`);
  return resolved;
}

function complaintOf(options: ResolvedOptions): string | undefined {
  const { stateDir, nodeId, driverName, kubeletDirs, reserveBytes, maxVolumesPerNode } = options;
  if (!isAbsolute(stateDir)) return `stateDir "${stateDir}" is not an absolute path`;
  // It is the value of the node's topology label too, and kubelet would refuse the driver.
  const [nodeProblem] = nodeId === "" ? ["it is empty"] : labelValueErrors(nodeId);
  if (nodeProblem !== undefined) return `nodeId "${nodeId}" cannot be the value of a label: ${nodeProblem}`;
  if (!/^[a-z0-9]([-a-z0-9.]{0,61}[a-z])?$/i.test(driverName)) {
    return `driverName "${driverName}" must have at most 63 letters, digits, dashes and dots, and end in a letter`;
  }
  if (kubeletDirs.length === 0) return "kubeletDirs is empty, so that no volume could be published";
  const relative = kubeletDirs.find((path) => !isAbsolute(path));
  if (relative !== undefined) return `kubeletDirs has "${relative}", which is not an absolute path`;
  if (reserveBytes < 0n) return "reserveBytes is negative";
  return maxVolumesPerNode < 0 ? "maxVolumesPerNode is negative" : undefined;
}

function withoutUndefined<T extends object>(options: T): T {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as T;
}
