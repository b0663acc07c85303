import {
  clusterCSIDrivers,
  clusterOperators,
  clusterVersions,
  csiDrivers,
  storageClasses,
  storages,
} from "@stowage/machinery";
import { allowed } from "../explain/check.ts";
import { isDefault } from "../explain/class/class-checks.ts";
import { isInstalled } from "../explain/driver/driver-checks.ts";
import { type Facts, NOT_ALLOWED } from "../explain/facts.ts";
import { driverWorkloads } from "./driver-status.ts";
import { clusterOperatorStatus, operatorStatus, versionStatus } from "./operator-status.ts";
import type { StatusNode } from "./status-node.ts";

/** The chain from the cluster's version down to the driver's Pod on each node. Links that a cluster does not have are left out. */
export async function statusTree(server: string, facts: Facts): Promise<StatusNode> {
  const [version] = (await allowed(() => facts.list(clusterVersions))) ?? [];
  const drivers = (await allowed(() => driverNodes(facts))) ?? [];
  const storage = await allowed(() => facts.find(storages, { name: "cluster" }));
  const operator = await allowed(() => facts.find(clusterOperators, { name: "storage" }));
  const below = storage === undefined ? drivers : [{ ...operatorStatus(storage), children: drivers }];
  const operated = operator === undefined ? below : [{ ...clusterOperatorStatus(operator), children: below }];
  const classes = await allowed(() => classesNode(facts));
  const children = [...operated, ...(classes === undefined ? [] : [classes]), ...hiddenNodes(facts)];
  if (version !== undefined) return { ...versionStatus(version), children };
  return { name: `Cluster ${server}`, state: "well", facts: ["no ClusterVersion"], children };
}

/** What is not shown for want of rights, so that nobody takes it for not there. */
function hiddenNodes({ looks }: Facts): readonly StatusNode[] {
  const hidden = looks.filter(({ outcome }) => outcome === NOT_ALLOWED).map(({ what }) => what);
  if (hidden.length === 0) return [];
  return [
    {
      name: "Not shown",
      state: "unknown",
      facts: [],
      says: `This user may not read ${hidden.join(", ")}.`,
      children: [],
    },
  ];
}

/** Those that have an operator, and those that somebody installed without one. */
async function driverNodes(facts: Facts): Promise<StatusNode[]> {
  const operated = await facts.list(clusterCSIDrivers);
  const known = new Set(operated.map(({ metadata }) => metadata.name));
  const plain = (await facts.list(csiDrivers)).filter(({ metadata }) => !known.has(metadata.name));
  return Promise.all([
    ...operated.map(async (driver) => {
      const name = driver.metadata.name ?? "";
      return { ...operatorStatus(driver), children: await driverWorkloads(name, facts) };
    }),
    ...plain.map(async ({ metadata: { name = "" } }): Promise<StatusNode> => {
      const children = await driverWorkloads(name, facts);
      const says = children.length === 0 ? { says: "No workload is known to run it." } : {};
      return {
        name: `CSIDriver ${name}`,
        state: children.length === 0 ? "unknown" : "well",
        facts: [],
        ...says,
        children,
      };
    }),
  ]);
}

async function classesNode(facts: Facts): Promise<StatusNode> {
  const all = await facts.list(storageClasses);
  const children = await Promise.all(
    all.map(async (storageClass): Promise<StatusNode> => {
      const { provisioner, metadata } = storageClass;
      const name = `StorageClass ${metadata.name}`;
      const words = [provisioner, ...(isDefault(storageClass) ? ["default"] : [])];
      const isServed = provisioner.startsWith("kubernetes.io/") || (await isInstalled(provisioner, facts));
      if (isServed) return { name, state: "well", facts: words, children: [] };
      return { name, state: "bad", facts: words, says: `No driver ${provisioner} is installed.`, children: [] };
    }),
  );
  const defaults = all.filter(isDefault).length;
  const node = { name: "StorageClasses", facts: [`${all.length}`, `${defaults} default`], children };
  if (defaults === 1) return { ...node, state: "well" };
  const says = defaults === 0 ? "None is the default: claims without a class wait." : "More than one is the default.";
  return { ...node, state: defaults === 0 ? "off" : "bad", says };
}
