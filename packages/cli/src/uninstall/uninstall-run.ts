import type { KubeClient } from "@stowage/kube";
import { isNotFound } from "@stowage/kube";
import {
  type Clock,
  clusterCSIDrivers,
  clusterVersions,
  customResourceDefinitions,
  type Deployment,
  deployments,
  namespaces,
  persistentVolumes,
  StowageError,
  systemClock,
} from "@stowage/machinery";
import { versionOperatorMark, versionOperatorNamespace } from "@stowage/operators/version";
import type { CommandContext } from "../command.ts";
import { connectToCluster } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { upFieldManager, versionOperatorName } from "../up/version-operator-objects.ts";
import { type MadeObject, madeObjectText, removalSteps, upSteps } from "./made-objects.ts";

export interface UninstallOptions {
  readonly yes: boolean;
  readonly kubeconfig?: string;
  readonly context?: string;
  /** In milliseconds. */
  readonly timeout: number;
}

const LOOK_MS = 500;

/** Removes what the operators have made, or tells what that is. Returns the exit code. */
export async function runUninstall(context: CommandContext, options: UninstallOptions): Promise<number> {
  using cluster = await connectToCluster(context, options);
  const { client } = cluster;
  const { terminal, signal } = context;
  await refuseForeign(client);
  const isByUp = await isOperatorByUp(client);
  const drivers = await installedDrivers(client);
  await refuseInUse(client, drivers);
  const until = AbortSignal.any([signal, AbortSignal.timeout(options.timeout)]);
  let count = 0;
  for (const step of [...(isByUp ? upSteps() : []), ...removalSteps(drivers)]) {
    const found = await foundObjects(client, step);
    count += found.length;
    if (options.yes) await removeAll({ client, clock: systemClock }, found, until);
    for (const object of found) terminal.out(`${options.yes ? "removed " : ""}${madeObjectText(object)}\n`);
  }
  if (options.yes || count === 0) return exitCodes.success;
  terminal.err("nothing was removed; --yes removes all of this, and whatever is in these namespaces\n");
  return exitCodes.incomplete;
}

async function refuseForeign(client: KubeClient): Promise<void> {
  const version = await client.find(clusterVersions, { name: "version" }).catch(ignoreNotServed);
  if (version !== undefined && version.metadata.annotations?.[versionOperatorMark] === undefined) {
    throw new StowageError("CLUSTER_VERSION_NOT_OURS", "the ClusterVersion of this cluster is not kept by Stowage");
  }
  if (version === undefined && (await client.find(namespaces, { name: "openshift-config" })) !== undefined) {
    throw new StowageError("CLUSTER_VERSION_NOT_OURS", "nothing says that what is in this cluster was made by Stowage");
  }
}

/**
 * Whether the version operator is one that `stowage up` has brought. It would bring back whatever is removed: one that somebody else
 * keeps, as Helm does, is to be removed by that one.
 */
async function isOperatorByUp(client: KubeClient): Promise<boolean> {
  const { items } = await client.list(deployments, { fieldSelector: `metadata.name=${versionOperatorName}` });
  const isOther = ({ metadata: { namespace, managedFields = [] } }: Deployment) =>
    namespace !== versionOperatorNamespace || !managedFields.some(({ manager }) => manager === upFieldManager);
  const other = items.find(isOther);
  if (other === undefined) return items.length > 0;
  const where = `${other.metadata.namespace}/${versionOperatorName}`;
  throw new StowageError("UNINSTALL_OPERATOR_THERE", `the version operator ${where} would bring everything back`);
}

async function installedDrivers(client: KubeClient): Promise<string[]> {
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
