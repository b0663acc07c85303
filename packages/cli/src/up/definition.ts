import { isAlreadyExists } from "@stowage/kube";
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  type KubernetesObject,
  type ResourceType,
} from "@stowage/machinery";
import { platformCrds } from "@stowage/machinery/openshift-crds";
import { type StepWaitDeps, stepReached } from "./step-wait.ts";

/** The payload brings all definitions, but some are looked at as soon as somebody is started. Resolves when it is served. */
export async function ensureDefinition(
  deps: Omit<StepWaitDeps, "awaited">,
  { kind }: ResourceType,
  signal: AbortSignal,
): Promise<void> {
  const definition = platformCrds.find(({ spec }) => spec.names.kind === kind);
  if (definition === undefined) return;
  try {
    await deps.client.create(customResourceDefinitions, definition, { fieldManager: "stowage-up" });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const isServed = ({ status }: CustomResourceDefinition) =>
    status?.conditions?.some(({ type, status: is }) => type === "Established" && is === "True") ?? false;
  const wanted = {
    type: customResourceDefinitions,
    selection: { fieldSelector: `metadata.name=${definition.metadata.name}` },
    isDone: (found: readonly KubernetesObject[]) => (found as CustomResourceDefinition[]).some(isServed),
  };
  await stepReached({ ...deps, awaited: { nodeCount: 0, sinceMs: 0 } }, wanted, signal);
}
