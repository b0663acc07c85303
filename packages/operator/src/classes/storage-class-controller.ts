import type { Informer } from "@stowage/kube";
import { type ClusterCSIDriver, type StorageClass, StowageError } from "@stowage/machinery";
import { type ApplyDeps, applyObject, deleteObject, localCopies, planApply } from "../apply/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorControllerSpec,
  type OperatorSyncContext,
  type OperatorWatch,
  operatorController,
  removable,
  watching,
} from "../operator-controllers/index.ts";
import { type ClassAssets, desiredClass, forEachAsset, removeClasses } from "./class-assets.ts";
import { defaultOf, withDefault, withDefaultRule } from "./default-class.ts";

export interface StorageClassDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Pick<ApplyDeps, "client" | "mapper"> {
  /** Of all classes: which is the default concerns every one of them. */
  readonly informer: Informer<StorageClass>;
}

export interface StorageClassSpec<T extends OperatorResource = OperatorResource> extends ClassAssets<StorageClass, T> {
  /** `spec.storageClassState` of the provisioner's ClusterCSIDriver; of the operator's own resource when left out. */
  readonly stateOf?: (provisioner: string, operator: T) => string | undefined;
  /** Whether the class is for this cluster; one that is not is neither made nor touched. All are, when left out. */
  readonly isWanted?: (storageClass: StorageClass, signal: AbortSignal) => boolean | Promise<boolean>;
  /** Where `stateOf` and the hooks look. */
  readonly watches?: readonly OperatorWatch[];
  /** When the operand is to go. `leave`, as the originals do, when left out. */
  readonly whenRemoved?: "leave" | "delete";
  /** Keeps the operator's resource until the classes are gone: see `operatorFinalizer`. */
  readonly finalizer?: string;
}

/**
 * Keeps a driver's storage classes: as its assets say (`Managed` or empty), not at all (`Unmanaged`), or away (`Removed`).
 * Watches: the operator's resource, StorageClasses, and what it is given. Writes condition: `StorageClassControllerDegraded`.
 * Deletes: its classes when their state is `Removed`, on removal where it is told to, and for a moment when something has changed that
 * the API does not allow to.
 */
export function storageClassController<T extends OperatorResource>(
  deps: StorageClassDeps<T>,
  spec: StorageClassSpec<T>,
): OperatorController {
  const { client, mapper, events, informer } = deps;
  const pass: Pass<T> = {
    apply: { client, mapper, events, local: localCopies([{ informer }]) },
    informer,
    spec,
    choices: new Map(),
  };
  const { watches = [], whenRemoved = "leave", finalizer } = spec;
  const controller: OperatorControllerSpec<T> = {
    name: "StorageClassController",
    watches: [watching(informer), ...watches],
    resyncMs: 60_000,
    sync: (context) => syncStorageClasses(pass, context),
  };
  if (whenRemoved === "leave") return operatorController(deps, controller);
  const remove = (context: OperatorSyncContext<T>) =>
    removeClasses(pass.apply, { ...spec, isOurs: spec.isWanted }, context);
  return operatorController(deps, removable(controller, { operator: deps.operator, finalizer, remove }));
}

interface Pass<T extends OperatorResource> {
  readonly apply: ApplyDeps;
  readonly informer: Informer<StorageClass>;
  readonly spec: StorageClassSpec<T>;
  /** By name, what a class said of being the default when it had to be deleted and is not there again yet. */
  readonly choices: Map<string, string>;
}

async function syncStorageClasses<T extends OperatorResource>(
  pass: Pass<T>,
  { operator, signal }: OperatorSyncContext<T>,
): Promise<void> {
  const { informer, spec } = pass;
  const { assets, stateOf = ownState, isWanted = () => true } = spec;
  // What this sync makes the default must be known to the next class, before the watch tells of it.
  const classes = new Map(informer.objects.list().map((each) => [each.metadata.name, each]));
  await forEachAsset(assets, async (asset) => {
    const required = await desiredClass(asset, spec, { operator, signal });
    if (!(await isWanted(required, signal))) return;
    const state = stateOf(required.provisioner, operator) ?? "";
    if (state === "Unmanaged") return;
    if (state === "Removed") return void (await deleteObject(pass.apply, required, { signal }));
    if (state !== "" && state !== "Managed") {
      const nextStep = `Set spec.storageClassState of ${operator.kind} ${operator.metadata.name} to Managed, Unmanaged or Removed.`;
      throw new StowageError("OBJECT_REFUSED", `invalid StorageClassState ${state}`, { nextStep });
    }
    const applied = await applyStorageClass(pass, required, { classes: [...classes.values()], signal });
    classes.set(applied.metadata.name, applied);
  });
}

async function applyStorageClass<T extends OperatorResource>(
  { apply, choices }: Pass<T>,
  required: StorageClass,
  { classes, signal }: { readonly classes: readonly StorageClass[]; readonly signal: AbortSignal },
): Promise<StorageClass> {
  const { name = "" } = required.metadata;
  const existing = classes.find(({ metadata }) => metadata.name === name);
  const remembered = existing === undefined ? choices.get(name) : undefined;
  const wanted = remembered === undefined ? withDefaultRule(required, classes) : withDefault(required, remembered);
  const chosen = existing && defaultOf(existing);
  // To be made anew: should that fail half-way, the user's choice is nowhere but here.
  if (existing !== undefined && chosen !== undefined && planApply(existing, wanted).action === "recreate") {
    choices.set(name, chosen);
  }
  const { object } = await applyObject(apply, wanted, { signal });
  choices.delete(name);
  return object;
}

function ownState(provisioner: string, operator: OperatorResource): string | undefined {
  const isOwn = operator.kind === "ClusterCSIDriver" && operator.metadata.name === provisioner;
  return isOwn ? (operator as ClusterCSIDriver).spec.storageClassState : undefined;
}
