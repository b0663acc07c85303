import { type OperatorController, type OperatorControllerDeps, operatorController } from "./operator-controller.ts";

/**
 * Removes conditions of earlier versions that no controller has any more.
 * Watches: the operator's resource. Writes conditions: none of its own. Field manager: none, by JSON patch.
 */
export function staleConditionsController(
  deps: OperatorControllerDeps,
  { name, types }: { readonly name: string; readonly types: readonly string[] },
): OperatorController {
  return operatorController(deps, {
    name: `${name}-RemoveStaleConditions`,
    resyncMs: 60_000,
    reportsDegraded: false,
    ignoresManagementState: true,
    sync: ({ signal }) => deps.operator.removeConditions(types, signal),
  });
}
