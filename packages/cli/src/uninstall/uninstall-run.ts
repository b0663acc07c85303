import type { KubeClient } from "@stowage/kube";
import { isNotFound } from "@stowage/kube";
import {
  type Clock,
  clusterCSIDrivers,
  clusterVersions,
  customResourceDefinitions,
  deployments,
  namespaces,
  persistentVolumes,
  StowageError,
  systemClock,
} from "@stowage/machinery";
import { versionOperatorMark } from "@stowage/operators/version";
import type { CommandContext } from "../command.ts";
import { connectToCluster } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { type MadeObject, madeObjectText, removalSteps } from "./made-objects.ts";

export interface UninstallOptions {
  readonly yes: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** In milliseconds. */
  readonly timeout: number;
}

const LOOK_MS = 500;
const versionOperator = "stowage-version-operator";

/** Removes what the operators have made, or tells what that is. Returns the exit code. */
export async function runUninstall(context: CommandContext, options: UninstallOptions): Promise<number> {
  using cluster = await connectToCluster(context, options);
  const { client } = cluster;
  const { terminal, signal } = context;
  const drivers = await installedDrivers(client);
  await refuseInUse(client, drivers);
  const until = AbortSignal.any([signal, AbortSignal.timeout(options.timeout)]);
  let count = 0;
  for (const step of removalSteps(drivers)) {
    const found = await foundObjects(client, step);
    count += found.length;
    if (options.yes) await removeAll({ client, clock: systemClock }, found, until);
    for (const object of found) terminal.out(`${options.yes ? "removed " : ""}${madeObjectText(object)}\n`);
  }
  if (options.yes || count === 0) return exitCodes.success;
  terminal.err("nothing was removed; --yes removes all of this, and whatever is in these namespaces\n");
  return exitCodes.incomplete;
}

/** Refuses a cluster that is not ours, or where the version operator would bring everything back. */
async function installedDrivers(client: KubeClient): Promise<string[]> {
  const version = await client.find(clusterVersions, { name: "version" }).catch(ignoreNotServed);
  if (version !== undefined && version.metadata.annotations?.[versionOperatorMark] === undefined) {
    throw new StowageError("CLUSTER_VERSION_NOT_OURS", "the ClusterVersion of this cluster is not kept by Stowage");
  }
  if (version === undefined && (await client.find(namespaces, { name: "openshift-config" })) !== undefined) {
    throw new StowageError("CLUSTER_VERSION_NOT_OURS", "nothing says that what is in this cluster was made by Stowage");
  }
  const { items } = await client.list(deployments, { fieldSelector: `metadata.name=${versionOperator}` });
  const [operator] = items;
  if (operator !== undefined) {
    const where = `${operator.metadata.namespace}/${versionOperator}`;
    throw new StowageError("UNINSTALL_OPERATOR_THERE", `the version operator ${where} would bring everything back`);
  }
  const found = await client.list(clusterCSIDrivers).catch(ignoreNotServed);
  return (found?.items ?? []).map(({ metadata }) => metadata.name ?? "");
}

async function refuseInUse(client: KubeClient, drivers: readonly string[]): Promise<void> {
  const { items } = await client.list(persistentVolumes);
  const used = items.filter(({ spec }) => drivers.includes(spec?.csi?.driver ?? ""));
  if (used.length === 0) return;
  const names = used.slice(0, 3).map(({ metadata }) => metadata.name);
  throw new StowageError("UNINSTALL_IN_USE", `${used.length} PersistentVolumes are left, such as ${names.join(", ")}`);
}

async function foundObjects(client: KubeClient, objects: readonly MadeObject[]): Promise<MadeObject[]> {
  const found = await Promise.all(objects.map((object) => client.find(object.type, object)));
  return objects.filter((_, position) => found[position] !== undefined);
}

async function removeAll(
  { client, clock }: { client: KubeClient; clock: Clock },
  objects: readonly MadeObject[],
  signal: AbortSignal,
): Promise<void> {
  if (objects.some(({ type }) => type === customResourceDefinitions)) await letGo(client);
  for (const object of objects) await client.delete(object.type, object, { signal }).catch(ignoreNotFound);
  let left: readonly MadeObject[] = objects;
  for (;;) {
    left = await foundObjects(client, left);
    if (left.length === 0) return;
    await clock.sleep(LOOK_MS, signal);
  }
}

/** Whoever has put finalizers on them is gone by now, and the definition would wait for him. */
async function letGo(client: KubeClient): Promise<void> {
  const found = await client.list(clusterCSIDrivers).catch(ignoreNotServed);
  for (const { metadata } of found?.items ?? []) {
    const patch = { type: "merge" as const, patch: { metadata: { finalizers: null } } };
    await client.patch(clusterCSIDrivers, { name: metadata.name ?? "" }, patch).catch(ignoreNotFound);
  }
}

/** A definition that is gone is as good as no object. */
function ignoreNotServed(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** Somebody else was quicker. */
function ignoreNotFound(error: unknown): void {
  if (!isNotFound(error)) throw error;
}
