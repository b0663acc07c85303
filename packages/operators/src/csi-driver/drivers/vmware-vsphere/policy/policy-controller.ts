import { type ClusterCSIDriver, StowageError } from "@stowage/machinery";
import {
  failureText,
  type OperatorSyncContext,
  operatorController,
  type StatedCondition,
  type SyncOutcome,
} from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import type { DriverGate } from "../../../driver-profile.ts";
import type { CheckStatus } from "../checks/check-result.ts";
import type { ConfigSource } from "../config/config-source.ts";
import type { DriverErrors } from "../metrics/driver-errors.ts";
import { AskingSchedule } from "../vcenter/asking-schedule.ts";
import type { ConnectVCenter } from "../vcenter/vcenter.ts";
import { ensureStoragePolicy } from "./storage-policy.ts";

/** Of the conditions: renaming it leaves the old ones behind. */
const controllerName = "VMwareVSphereDriverStorageClassController";
const LONGEST_WAIT_MS = 30 * 60_000;

export interface PolicyGateDeps extends Pick<DriverOperatorContext, "deps" | "operator" | "facts"> {
  readonly source: ConfigSource;
  readonly connect: ConnectVCenter;
  readonly errors: Pick<DriverErrors, "say">;
}

/** Undefined when every vCenter has the policy. */
type PolicyTrouble = StowageError | undefined;

/**
 * Has every vCenter know the policy that the StorageClass names; the class is made when they do. Watches: the operator's resource, the
 * cloud's configuration, the Infrastructure, the credentials of vCenter. Owns, in vCenter: category, tag and policy of the cluster.
 * Writes conditions: `VMwareVSphereDriverStorageClassController{Available,Degraded}`. Deletes: nothing.
 */
export function policyGate(gateDeps: PolicyGateDeps): DriverGate {
  const { deps, operator, source } = gateDeps;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const policies = new AskingSchedule<PolicyTrouble>(deps.clock, LONGEST_WAIT_MS);
  const controller = operatorController(
    { ...deps, operator },
    {
      name: controllerName,
      watches: source.watches,
      reportsDegraded: false,
      sync: (context) => syncPolicies({ gateDeps, policies, open }, context),
      async remove({ signal }) {
        open();
        gateDeps.errors.say("policies", []);
        await operator.applyStatus(controllerName, { conditions: [] }, signal);
      },
    },
  );
  return { controller, opened };
}

interface Gate {
  readonly gateDeps: PolicyGateDeps;
  readonly policies: AskingSchedule<PolicyTrouble>;
  open(): void;
}

async function syncPolicies(
  { gateDeps, policies, open }: Gate,
  { operator: driver, signal }: OperatorSyncContext<ClusterCSIDriver>,
): Promise<SyncOutcome | void> {
  const { operator, facts, source, errors } = gateDeps;
  const say = (trouble: PolicyTrouble) => {
    const status = trouble && reasonOf(trouble);
    errors.say("policies", status === undefined ? [] : [{ reason: status, condition: "storage_class_sync_failed" }]);
    return operator.applyStatus(controllerName, { conditions: desiredPolicyConditions(trouble) }, signal);
  };
  // A class that somebody else looks after has their policy.
  if (!isManaged(driver)) {
    open();
    return say(undefined);
  }
  const { clusterId } = await facts.current(signal);
  const vcenters = await source.vcenters(signal).catch((error: unknown) => String(error));
  const { answer, nextInMs } = await policies.latest({
    key: JSON.stringify([clusterId, vcenters]),
    ask: () => askForPolicies(gateDeps, clusterId, signal),
    isGood: (trouble) => trouble === undefined,
  });
  if (answer === undefined) open();
  await say(answer);
  return { requeueAfterMs: nextInMs };
}

function isManaged({ spec }: ClusterCSIDriver): boolean {
  return !["Unmanaged", "Removed"].includes(spec.storageClassState ?? "");
}

async function askForPolicies(
  { source, connect }: PolicyGateDeps,
  clusterId: string,
  signal: AbortSignal,
): Promise<PolicyTrouble> {
  try {
    for (const access of withDatastores(await source.vcenters(signal))) {
      const vcenter = await connect(access, signal);
      try {
        await ensureStoragePolicy(vcenter, { clusterId, datastores: access.datastores }, signal);
      } finally {
        // A session that stays ends by itself.
        await vcenter.logout(signal).catch(() => {});
      }
    }
    return undefined;
  } catch (error) {
    if (error instanceof StowageError) return error;
    throw error;
  }
}

/** Of several vCenters one may be there for machines alone. Where nobody says anything, somebody may have made the policy by hand. */
function withDatastores<P extends { readonly datastores: readonly string[] }>(places: readonly P[]): readonly P[] {
  const some = places.filter(({ datastores }) => datastores.length > 0);
  return some.length > 0 ? some : places;
}

export function desiredPolicyConditions(trouble: PolicyTrouble): StatedCondition[] {
  const [available, degraded] = [`${controllerName}Available`, `${controllerName}Degraded`];
  if (trouble === undefined) {
    return [
      { type: available, status: "True", reason: "AsExpected" },
      { type: degraded, status: "False", reason: "AsExpected" },
    ];
  }
  const reason = reasonOf(trouble);
  const message = failureText(trouble);
  return [
    { type: available, status: "False", reason, message },
    { type: degraded, status: "True", reason, message },
  ];
}

function reasonOf({ code }: StowageError): CheckStatus {
  return code === "CLOUD_CONFIG_INVALID" ? "openshift_api_error" : "vcenter_api_error";
}
