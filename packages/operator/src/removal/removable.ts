import { type OperatorClient, type OperatorResource, operatorFinalizer } from "../operator-client/index.ts";
import type { OperatorControllerSpec, OperatorSyncContext } from "../operator-controllers/index.ts";
import type { RemovalProgress } from "./ordered-deletion.ts";

export interface RemovableOptions<T extends OperatorResource> {
  readonly operator: Pick<OperatorClient<T>, "management" | "ensureFinalizer" | "removeFinalizer">;
  /** `$OPERATOR_NAME`. */
  readonly operatorName: string;
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
  { operator, operatorName, remove }: RemovableOptions<T>,
): OperatorControllerSpec<T> {
  const finalizer = operatorFinalizer(operatorName, spec.name);
  return {
    ...spec,
    async sync(context) {
      if (operator.management.allowsRemoved) await operator.ensureFinalizer(finalizer, context.signal);
      return spec.sync(context);
    },
    async remove(context) {
      if ((await remove(context)) === "waiting") return { requeueAfterMs: WAIT_MS };
      await operator.removeFinalizer(finalizer, context.signal);
      return undefined;
    },
  };
}
