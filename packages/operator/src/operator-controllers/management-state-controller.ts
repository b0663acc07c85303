import type { ManagementPolicy, OperatorResource, StatedCondition } from "../operator-client/index.ts";
import { createFirstReport } from "./first-report.ts";
import { type OperatorController, type OperatorControllerDeps, operatorController } from "./operator-controller.ts";

/**
 * Says when the management state is one that the operator does not support.
 * Watches: the operator's resource. Writes condition: `ManagementStateDegraded`, as `<name>-ManagementState`.
 */
export function managementStateController(
  deps: OperatorControllerDeps,
  /** Of the operator: it is named in the message. */
  { name }: { readonly name: string },
): OperatorController {
  const controllerName = `${name}-ManagementState`;
  const first = createFirstReport(deps);
  return operatorController(deps, {
    name: controllerName,
    resyncMs: 60_000,
    reportsDegraded: false,
    ignoresManagementState: true,
    async sync({ operator, signal }) {
      const condition = managementStateCondition(operator, deps.operator.management, name);
      const waitMs = condition.status === "False" ? first.waitMs(type) : 0;
      if (waitMs > 0) return { requeueAfterMs: waitMs };
      await deps.operator.applyStatus(controllerName, { conditions: [condition] }, signal);
      return undefined;
    },
    async syncWithout() {
      if (deps.operator.management.allowsRemoved) return;
      deps.events.warning("StatusNotFound", `Unable to determine current operator status for ${name}`);
    },
  });
}

const type = "ManagementStateDegraded";
const knownStates: ReadonlySet<string> = new Set(["Managed", "Unmanaged", "Removed"]);

function managementStateCondition(
  operator: OperatorResource,
  policy: ManagementPolicy,
  operatorName: string,
): StatedCondition {
  const state = operator.spec?.managementState ?? "";
  const of = `for ${operatorName} operator`;
  if (!knownStates.has(state)) {
    const message = `Unsupported management state "${state}" ${of}`;
    return { type, status: "True", reason: "Unknown", message };
  }
  const isRefused =
    (state === "Unmanaged" && !policy.allowsUnmanaged) || (state === "Removed" && !policy.allowsRemoved);
  return isRefused
    ? { type, status: "True", reason: state, message: `${state} is not supported ${of}` }
    : { type, status: "False" };
}
