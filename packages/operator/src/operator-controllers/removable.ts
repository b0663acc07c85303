import type { OperatorClient, OperatorResource } from "../operator-client/index.ts";
import type { OperatorControllerSpec, OperatorSyncContext } from "./operator-controller.ts";

/** `waiting`: something lingers, on its own finalizers or for what has to go before it. */
export type RemovalProgress = "gone" | "waiting";

export interface RemovableOptions<T extends OperatorResource> {
  readonly operator: Pick<OperatorClient<T>, "management" | "ensureFinalizer" | "removeFinalizer">;
  /** See `operatorFinalizer`; without one the resource may vanish before everything is gone. */
  readonly finalizer: string | undefined;
  /** Takes away what the controller made; called again until all is gone. */
  readonly remove: (context: OperatorSyncContext<T>) => Promise<RemovalProgress>;
}

/** How soon to look whether what lingers is gone, where no watch tells. */
const WAIT_MS = 2_000;

/**
 * A controller whose operand can be taken away. Its finalizer is put on the operator's resource before anything is made, and taken off
 * when everything is gone: until then the resource cannot vanish, so that nothing is left behind that nobody knows of.
 */
export function removable<T extends OperatorResource>(
  spec: OperatorControllerSpec<T>,
  { operator, finalizer, remove }: RemovableOptions<T>,
): OperatorControllerSpec<T> {
  return {
    ...spec,
    async sync(context) {
      const { allowsRemoved, allowsDeletion = allowsRemoved } = operator.management;
      if (finalizer !== undefined && allowsDeletion) {
        await operator.ensureFinalizer(finalizer, context.signal);
      }
      return spec.sync(context);
    },
    async remove(context) {
      if ((await remove(context)) === "waiting") return { requeueAfterMs: WAIT_MS };
      if (finalizer !== undefined) await operator.removeFinalizer(finalizer, context.signal);
      return undefined;
    },
  };
}
