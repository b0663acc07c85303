import { isIn, needsNodeAlone, type TestFile } from "./test-file.ts";

/** A part of the release tier: at most half an hour on two cores, and complete in itself. */
export interface Group {
  readonly name: string;
  readonly about: string;
  /** Every test that needs more than Node, and stands in one of these, is in the group. */
  readonly folders: readonly string[];
  /** Longer times and more rounds than the tests take by themselves. */
  readonly env?: Readonly<Record<string, string>>;
}

export const groups: readonly Group[] = [
  {
    name: "api",
    about: "client, apply and the embedded API server beside the real one; its faults and its durability",
    folders: ["test/api"],
    env: { STOWAGE_TEST_KILLS: "500" },
  },
  {
    name: "cluster",
    about: "the embedded controllers, scheduler and whole cluster beside the real ones",
    folders: ["test/cluster", "packages/embedded/src/cluster"],
    env: { STOWAGE_POD_COUNT: "50", STOWAGE_POD_ROUNDS: "10" },
  },
  {
    name: "node",
    about: "real kubelet and the embedded node with volumes of real drivers",
    folders: ["test/node", "packages/embedded/src/node"],
  },
  {
    name: "sidecars",
    about: "each sidecar on a real control plane, failover, chaos",
    folders: ["test/sidecars"],
    env: { STOWAGE_CHAOS_SEEDS: "5" },
  },
  {
    name: "drivers",
    about: "csi-sanity, file systems, crashes and random operations of the local driver",
    folders: ["test/drivers", "packages/drivers"],
  },
  {
    name: "operators",
    about: "version, storage and driver operators on a real control plane",
    folders: ["test/operators"],
  },
  {
    name: "clouds",
    about: "drivers of clouds with stand-ins, vCenter, OpenStack's own services, destroy",
    folders: ["test/clouds"],
  },
  {
    name: "platforms",
    about: "storage on every platform, at rest for five minutes; `stowage up` on simulated ones",
    folders: ["test/platforms"],
    env: { STOWAGE_QUIET_SECONDS: "300" },
  },
  {
    name: "up",
    about: "`stowage up` and what else a user types, installation on a cluster, the guides",
    folders: ["test/up", "packages/cli"],
  },
];

export const groupFolders = groups.flatMap((group) => group.folders);

export function filesOf(group: Group, files: readonly TestFile[]): TestFile[] {
  const isIncluded = (path: string) => group.folders.some((folder) => isIn(path, folder));
  return files.filter((file) => !needsNodeAlone(file) && isIncluded(file.path));
}
