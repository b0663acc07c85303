import { type ClusterCSIDriver, csiDrivers } from "@stowage/machinery";
import { isManagedDriver, type OperatorSyncContext, operatorController, type SyncOutcome } from "@stowage/operator";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import type { DriverGate } from "../../../driver-profile.ts";
import type { ConfigSource } from "../config/config-source.ts";
import { checkErrors, type DriverErrors } from "../metrics/driver-errors.ts";
import { AskingSchedule } from "../vcenter/asking-schedule.ts";
import { controllerName, desiredCheckConditions, removedConditions } from "./check-conditions.ts";
import { allowsInstall, type CheckResult, outcomeOf } from "./check-result.ts";
import { type CheckRunDeps, runChecks } from "./check-run.ts";

export interface CheckGateDeps extends Pick<DriverOperatorContext, "deps" | "operator"> {
  readonly source: ConfigSource;
  readonly run: Pick<CheckRunDeps, "connect" | "gates">;
  readonly errors: Pick<DriverErrors, "say">;
}

const LONGEST_WAIT_MS = 60 * 60_000;

/**
 * Whether this vSphere is one that the driver can be for: the driver is installed when it is, and stays whatever comes then.
 * Watches: the operator's resource, the cloud's configuration, the Infrastructure, the credentials of vCenter. Writes conditions:
 * `VMwareVSphereControllerUpgradeable`, `VMwareVSphereOperatorCheckDegraded`, `VMwareVSphereControllerDisabled` while nothing is
 * installed, all with the check that failed; `VMwareVSphereControllerDegraded`. Deletes: nothing. On removal it lets the others delete
 * what there is.
 */
export function checkGate(gateDeps: CheckGateDeps): DriverGate {
  const { deps, operator, source } = gateDeps;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const checks = new AskingSchedule<LatestChecks>(deps.clock, LONGEST_WAIT_MS);
  const controller = operatorController(
    { ...deps, operator },
    {
      name: controllerName,
      watches: source.watches,
      sync: (context) => syncChecks({ gateDeps, checks, open }, context),
      async remove({ signal }) {
        open();
        gateDeps.errors.say("checks", []);
        await operator.applyStatus(controllerName, { conditions: removedConditions }, signal);
      },
    },
  );
  return { controller, opened };
}

interface Gate {
  readonly gateDeps: CheckGateDeps;
  readonly checks: AskingSchedule<LatestChecks>;
  open(): void;
}

async function syncChecks(
  { gateDeps, checks, open }: Gate,
  { operator: driver, signal }: OperatorSyncContext<ClusterCSIDriver>,
): Promise<SyncOutcome> {
  const { answer, nextInMs } = await checks.latest({
    key: await inputKey(gateDeps, driver, signal),
    ask: () => checkNow(gateDeps, driver, signal),
    isGood: ({ result }) => result.action === "Pass",
  });
  const { result, isInstalled } = answer;
  const outcome = outcomeOf(result, isInstalled);
  if (isInstalled || allowsInstall(outcome)) open();
  gateDeps.errors.say("checks", checkErrors(result, outcome));
  const conditions = desiredCheckConditions(result, outcome, isInstalled);
  await gateDeps.operator.applyStatus(controllerName, { conditions }, signal);
  return { requeueAfterMs: nextInMs };
}

interface LatestChecks {
  readonly result: CheckResult;
  readonly isInstalled: boolean;
}

async function checkNow(
  { deps, source, run }: CheckGateDeps,
  driver: ClusterCSIDriver,
  signal: AbortSignal,
): Promise<LatestChecks> {
  const name = driver.metadata.name ?? "";
  const csiDriver = await deps.client.find(csiDrivers, { name }, { signal });
  const result = await runChecks({ client: deps.client, source, ...run }, { driver, csiDriver }, signal);
  return { result, isInstalled: csiDriver !== undefined && isManagedDriver(csiDriver) };
}

async function inputKey({ source }: CheckGateDeps, { spec }: ClusterCSIDriver, signal: AbortSignal): Promise<string> {
  const vcenters = await source.vcenters(signal).catch((error: unknown) => String(error));
  return JSON.stringify([vcenters, spec.driverConfig]);
}
