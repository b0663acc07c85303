import type { ObjectReader } from "@stowage/kube";
import {
  type ClusterOperator,
  type ClusterVersion,
  clusterOperators,
  clusterVersions,
  type ResourceType,
} from "@stowage/machinery";
import type { Controller } from "@stowage/operator";
import { applyDefinition } from "../apply/index.ts";
import { ClusterVersionStore } from "./cluster-version-store.ts";
import { clusterVersionName } from "./ownership.ts";
import type { VersionDeps } from "./version-deps.ts";

/** What the operator follows; there once its APIs are. */
export interface VersionApis {
  readonly store: ClusterVersionStore;
  readonly clusterOperators: ObjectReader<ClusterOperator>;
  waitForSync(signal: AbortSignal): Promise<void>;
}

/** What the operator itself needs before it can say anything. */
const ownTypes: readonly ResourceType[] = [clusterVersions, clusterOperators];

/** The names of their definitions. */
export const ownDefinitionNames = ownTypes.map(({ plural, group }) => `${plural}.${group}`);

/** Local copies of ClusterVersion and ClusterOperators, whose changes make the controller look. To be called once. */
export function followApis(deps: VersionDeps, controller: Controller, key: string): VersionApis {
  const versions = deps.informers.informer(clusterVersions, { fieldSelector: `metadata.name=${clusterVersionName}` });
  const operators = deps.informers.informer(clusterOperators);
  const keys = () => [key];
  controller.watch(versions, keys, { isNews: isNewlyAsked });
  controller.watch(operators, keys);
  return {
    store: new ClusterVersionStore({ client: deps.client, informer: versions }),
    clusterOperators: operators.objects,
    async waitForSync(signal) {
      await Promise.all([versions.waitForSync({ signal }), operators.waitForSync({ signal })]);
    },
  };
}

/** Its status is our own; whoever else writes that is put right at the next look. */
function isNewlyAsked(now: ClusterVersion, before: ClusterVersion): boolean {
  return now.metadata.generation !== before.metadata.generation || now.metadata.uid !== before.metadata.uid;
}

/**
 * Makes those definitions that are missing; a payload may have them too, and then its own count. Asked at every look, which costs
 * nothing while discovery remembers them.
 */
export async function ensureDefinitions(deps: VersionDeps, known: Set<string>, signal: AbortSignal): Promise<void> {
  const missing: string[] = [];
  for (const type of ownTypes) if (!(await deps.mapper.has(type))) missing.push(`${type.plural}.${type.group}`);
  if (missing.length === 0) return;
  // Loaded only where they are missing: on most starts nobody needs them.
  const { platformCrds } = await import("@stowage/machinery/openshift-crds");
  for (const definition of platformCrds) {
    if (missing.includes(definition.metadata.name ?? "")) await applyDefinition({ ...deps, known }, definition, signal);
  }
  deps.mapper.invalidate();
}
