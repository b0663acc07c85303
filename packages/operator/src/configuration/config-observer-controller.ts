import type { KubeClient } from "@stowage/kube";
import { StowageError } from "@stowage/machinery";
import type { OperatorResource, StatedCondition } from "../operator-client/index.ts";
import {
  createFirstReport,
  type OperatorController,
  type OperatorControllerDeps,
  operatorController,
} from "../operator-controllers/index.ts";
import type { ConfigObserver } from "./config-observers.ts";
import { type ConfigPath, type ConfigTree, clearingPatch, differences, treeOf, valueAt } from "./config-tree.ts";

export interface ConfigObserverDeps<T extends OperatorResource = OperatorResource> extends OperatorControllerDeps<T> {
  readonly client: Pick<KubeClient, "patch">;
}

export interface ConfigObserverSpec {
  /** Its field manager is `<name>-ConfigObserver`. */
  readonly name: string;
  readonly observers: readonly ConfigObserver[];
}

// Renaming it leaves the old condition behind.
const conditionType = "ConfigObservationDegraded";

/**
 * Keeps what is observed of the cluster in `spec.observedConfig`, in every management state.
 * Watches: the operator's resource and what its observers do. Writes condition: `ConfigObservationDegraded`, as
 * `<name>-ConfigObserver`.
 */
export function configObserverController<T extends OperatorResource>(
  deps: ConfigObserverDeps<T>,
  { name, observers }: ConfigObserverSpec,
): OperatorController {
  const fieldManager = `${name}-ConfigObserver`;
  const first = createFirstReport(deps);
  return operatorController(deps, {
    name,
    watches: observers.map(({ watch }) => watch),
    resyncMs: 60_000,
    reportsDegraded: false,
    ignoresManagementState: true,
    async sync({ operator, signal }) {
      const existing = operator.spec?.observedConfig ?? {};
      const { config, failures } = await observe(observers, existing, signal);
      const paths = observers.flatMap((observer) => observer.paths);
      try {
        await writeConfig(deps, { fieldManager, paths, existing, config }, signal);
      } catch (error) {
        deps.events.warning("ObservedConfigWriteError", `Failed to write observed config: ${messageOf(error)}`);
        failures.splice(0, failures.length, `error writing updated observed config: ${messageOf(error)}`);
      }
      const waitMs = failures.length === 0 ? first.waitMs(conditionType) : 0;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      await deps.operator.applyStatus(fieldManager, { conditions: [observationCondition(failures)] }, signal);
      if (failures.length > 0) throw new StowageError("CONFIG_OBSERVATION_FAILED", failures.join("\n"));
      return undefined;
    },
  });
}

/** What cannot be told at present stays as it was. */
async function observe(observers: readonly ConfigObserver[], existing: ConfigTree, signal: AbortSignal) {
  const entries: (readonly [ConfigPath, unknown])[] = [];
  const failures: string[] = [];
  for (const { paths, observe: look } of observers) {
    let source = existing;
    try {
      source = await look(signal);
    } catch (error) {
      if (signal.aborted) throw error;
      failures.push(messageOf(error));
    }
    entries.push(...paths.map((path) => [path, valueAt(source, path)] as const));
  }
  return { config: treeOf(entries), failures };
}

interface ConfigWrite {
  readonly fieldManager: string;
  readonly paths: readonly ConfigPath[];
  readonly existing: ConfigTree;
  readonly config: ConfigTree;
}

async function writeConfig<T extends OperatorResource>(
  { operator, client, events }: ConfigObserverDeps<T>,
  { fieldManager, paths, existing, config }: ConfigWrite,
  signal: AbortSignal,
): Promise<void> {
  const changes = paths.flatMap((path) => differences(valueAt(existing, path), valueAt(config, path), path));
  if (changes.length > 0) {
    events.normal("ObservedConfigChanged", `Writing updated observed config: ${changes.join("; ")}`);
  }
  await operator.applyObservedConfig(fieldManager, config, signal);
  const written = operator.current()?.spec?.observedConfig;
  const stray = paths.map((path) => [path, clearingPatch(valueAt(written, path), valueAt(config, path))] as const);
  const observedConfig = treeOf(stray);
  if (Object.keys(observedConfig).length === 0) return;
  const patch = { spec: { observedConfig } };
  await client.patch(operator.type, { name: operator.name }, { type: "merge", patch }, { fieldManager, signal });
}

function observationCondition(failures: readonly string[]): StatedCondition {
  return failures.length === 0
    ? { type: conditionType, status: "False" }
    : { type: conditionType, status: "True", reason: "Error", message: failures.join("\n") };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
