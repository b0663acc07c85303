import type { Informer } from "@stowage/kube";
import { type CSIDriver, StowageError } from "@stowage/machinery";
import { type ApplyDeps, applyObject, deleteObject, localCopies } from "../apply/index.ts";
import { type Asset, type ObjectHook, renderObject } from "../assets/index.ts";
import type { OperatorResource } from "../operator-client/index.ts";
import {
  type OperatorController,
  type OperatorControllerDeps,
  type OperatorSyncContext,
  operatorController,
  watching,
} from "../operator-controllers/index.ts";

/** Says that a CSIDriver is an operator's and not somebody else's. */
export const managedDriverAnnotation = "csi.openshift.io/managed";

export interface CsiDriverDeps<T extends OperatorResource = OperatorResource>
  extends OperatorControllerDeps<T>,
    Pick<ApplyDeps, "client" | "mapper"> {
  readonly informer: Informer<CSIDriver>;
}

export interface CsiDriverSpec<T extends OperatorResource = OperatorResource> {
  /** Of the condition `<name>Degraded` too. */
  readonly name: string;
  readonly asset: Asset;
  readonly hooks?: readonly ObjectHook<CSIDriver, { readonly operator: T }>[];
  /** True: a CSIDriver that somebody else has installed is a failure, and is not touched. */
  readonly refusesForeign?: boolean;
  /** When the operand is to go. `leave` when left out: volumes may still be mounted. */
  readonly whenRemoved?: "leave" | "delete";
}

/**
 * Keeps the CSIDriver. Another spec means another object; the administrator's word on inline volumes stays.
 * Watches: the operator's resource and CSIDrivers. Writes condition: `<name>Degraded`. Deletes: the CSIDriver on removal where it is
 * told to, and for a moment when its spec has changed.
 */
export function csiDriverController<T extends OperatorResource>(
  deps: CsiDriverDeps<T>,
  spec: CsiDriverSpec<T>,
): OperatorController {
  const { client, mapper, events, informer } = deps;
  const apply: ApplyDeps = { client, mapper, events, local: localCopies([{ informer }]) };
  const desired = ({ operator }: OperatorSyncContext<T>) =>
    renderObject<CSIDriver, { operator: T }>(spec.asset, {
      objectHooks: [...(spec.hooks ?? []), asManaged],
      context: { operator },
    });
  return operatorController(deps, {
    name: spec.name,
    watches: [watching(informer)],
    resyncMs: 60_000,
    async sync(context) {
      const required = await desired(context);
      const existing = informer.objects.get({ name: required.metadata.name ?? "" });
      if (spec.refusesForeign && existing !== undefined && !isManagedDriver(existing)) throw notOurs(existing);
      await applyObject(apply, required, { signal: context.signal });
    },
    ...(spec.whenRemoved === "delete" && {
      remove: async (context) => void (await deleteObject(apply, await desired(context), { signal: context.signal })),
    }),
  });
}

export function isManagedDriver({ metadata }: CSIDriver): boolean {
  return metadata.annotations?.[managedDriverAnnotation] !== undefined;
}

function asManaged(driver: CSIDriver): CSIDriver {
  const annotations = { [managedDriverAnnotation]: "true", ...driver.metadata.annotations };
  return { ...driver, metadata: { ...driver.metadata, annotations } };
}

function notOurs({ metadata }: CSIDriver): StowageError {
  return new StowageError("DRIVER_NOT_OURS", `CSI driver ${metadata.name} was installed by somebody else`, {
    nextStep: `Remove that driver and its CSIDriver ${metadata.name}.`,
  });
}
