import { StowageError } from "@stowage/machinery";
import type { ClusterEntry, ContextEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";

/** A context with the cluster and the user that it joins. */
export interface SelectedContext {
  readonly name: string;
  readonly context: ContextEntry;
  readonly clusterName: string;
  readonly cluster: ClusterEntry;
  readonly userName?: string;
  /** Absent when the context names no user: requests are anonymous. */
  readonly user?: UserEntry;
}

/** What messages call the cluster entry: its file and its name. */
export function clusterLabel({ cluster, clusterName }: SelectedContext): string {
  return `${cluster.file}: cluster "${clusterName}"`;
}

export function userLabel({ user, userName }: SelectedContext): string {
  return `${user?.file}: user "${userName}"`;
}

export function selectContext(config: Kubeconfig, override: string | undefined, origin: string): SelectedContext {
  const name = override ?? config.currentContext;
  if (name === undefined) {
    throw new StowageError(
      "KUBECONFIG_CONTEXT_UNKNOWN",
      `${origin} does not set current-context, and no context was asked for.`,
      {
        nextStep: `Set current-context, or ask for a context. ${namesOf("contexts", config.contexts)}`,
      },
    );
  }
  const context = config.contexts.get(name);
  if (context === undefined) {
    const why = override === undefined ? ", though current-context names it" : "";
    throw new StowageError("KUBECONFIG_CONTEXT_UNKNOWN", `${origin} has no context "${name}"${why}.`, {
      nextStep: namesOf("contexts", config.contexts),
    });
  }
  return { name, context, ...selectCluster(config, name, context), ...selectUser(config, name, context) };
}

function selectCluster(config: Kubeconfig, contextName: string, context: ContextEntry) {
  if (context.cluster === undefined) {
    throw new StowageError(
      "KUBECONFIG_CONTEXT_UNKNOWN",
      `${context.file}: context "${contextName}" names no cluster.`,
      {
        nextStep: `Set the context's cluster. ${namesOf("clusters", config.clusters)}`,
      },
    );
  }
  const cluster = config.clusters.get(context.cluster);
  if (cluster === undefined) {
    throw unknownReference("cluster", { contextName, context, known: config.clusters });
  }
  return { clusterName: context.cluster, cluster };
}

function selectUser(config: Kubeconfig, contextName: string, context: ContextEntry) {
  if (context.user === undefined) {
    return {};
  }
  const user = config.users.get(context.user);
  if (user === undefined) {
    throw unknownReference("user", { contextName, context, known: config.users });
  }
  return { userName: context.user, user };
}

interface Reference {
  readonly contextName: string;
  readonly context: ContextEntry;
  readonly known: ReadonlyMap<string, unknown>;
}

function unknownReference(kind: "cluster" | "user", { contextName, context, known }: Reference): StowageError {
  return new StowageError(
    "KUBECONFIG_CONTEXT_UNKNOWN",
    `${context.file}: context "${contextName}" points at ${kind} "${context[kind]}", which does not exist.`,
    { nextStep: `Correct the context, or add the ${kind}. ${namesOf(`${kind}s`, known)}` },
  );
}

function namesOf(what: string, entries: ReadonlyMap<string, unknown>): string {
  return entries.size === 0 ? `There are no ${what}.` : `The ${what} are: ${[...entries.keys()].join(", ")}.`;
}
