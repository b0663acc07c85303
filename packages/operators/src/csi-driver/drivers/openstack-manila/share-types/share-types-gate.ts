import { csiDrivers, type ErrorCode, StowageError } from "@stowage/machinery";
import { isManagedDriver, operatorController, type SyncOutcome } from "@stowage/operator";
import type { ShareType } from "../../../../openstack/index.ts";
import type { DriverOperatorContext } from "../../../driver-context.ts";
import type { DriverGate } from "../../../driver-profile.ts";
import type { CloudSource } from "./cloud-source.ts";

/** Of the conditions: renaming it leaves the old ones behind. */
const CONTROLLER_NAME = "CSIController";

export interface ShareTypesGateDeps extends Pick<DriverOperatorContext, "deps" | "operator"> {
  readonly cloud: Pick<CloudSource, "shareTypes" | "watches">;
  readonly driverName: string;
  /** Called with every answer. */
  readonly onShareTypes: (types: readonly ShareType[]) => void;
}

/** How soon a service is found that a cloud has been given, and a type that Manila has. */
const ASK_AGAIN_MS = 60_000;

/**
 * Asks the cloud for its share types, and lets the driver be installed when there are any. A driver that is installed stays: from then
 * on, what fails is a failure.
 * Watches: the operator's resource, the cloud's credentials and authority. Writes conditions: `CSIControllerDisabled` with the reason,
 * as long as there is nothing for the driver; `CSIControllerDegraded`. Deletes: nothing.
 */
export function shareTypesGate(gateDeps: ShareTypesGateDeps): DriverGate {
  const { deps, operator, cloud } = gateDeps;
  const { promise: opened, resolve } = Promise.withResolvers<void>();
  const state = { isOpen: false };
  const open = () => {
    state.isOpen = true;
    resolve();
  };
  const controller = operatorController(
    { ...deps, operator },
    {
      name: CONTROLLER_NAME,
      watches: cloud.watches,
      sync: ({ signal }) => syncGate(gateDeps, { state, open }, signal),
    },
  );
  return { controller, opened };
}

interface Gate {
  readonly state: { readonly isOpen: boolean };
  open(): void;
}

async function syncGate(
  gateDeps: ShareTypesGateDeps,
  { state, open }: Gate,
  signal: AbortSignal,
): Promise<SyncOutcome> {
  const { operator, onShareTypes } = gateDeps;
  try {
    onShareTypes(await someShareTypes(gateDeps, signal));
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    if (!state.isOpen && !(await isInstalled(gateDeps, signal))) {
      const message = `Pre-condition not satisfied: ${(error as StowageError).message}`;
      const disabled = { type: `${CONTROLLER_NAME}Disabled`, status: "True", reason, message } as const;
      await operator.applyStatus(CONTROLLER_NAME, { conditions: [disabled] }, signal);
      return { requeueAfterMs: ASK_AGAIN_MS };
    }
    open();
    await operator.applyStatus(CONTROLLER_NAME, {}, signal);
    throw error;
  }
  open();
  await operator.applyStatus(CONTROLLER_NAME, {}, signal);
  return { requeueAfterMs: ASK_AGAIN_MS };
}

async function someShareTypes({ cloud }: ShareTypesGateDeps, signal: AbortSignal): Promise<ShareType[]> {
  const types = await cloud.shareTypes(signal);
  if (types.length > 0) return types;
  throw new StowageError("CLOUD_SERVICE_EMPTY", "Manila does not provide any share types");
}

/** By an earlier process of this operator. */
async function isInstalled({ deps, driverName }: ShareTypesGateDeps, signal: AbortSignal): Promise<boolean> {
  const csiDriver = await deps.client.find(csiDrivers, { name: driverName }, { signal });
  return csiDriver !== undefined && isManagedDriver(csiDriver);
}

const reasons: Partial<Record<ErrorCode, string>> = {
  CLOUD_CONFIG_INVALID: "CredentialsUnusable",
  CLOUD_UNREACHABLE: "CloudUnreachable",
  CLOUD_REFUSED: "CloudRefused",
  CLOUD_SERVICE_MISSING: "ServiceMissing",
  CLOUD_SERVICE_EMPTY: "NoShareTypes",
};

/** Undefined: it is not the cloud that failed. */
function reasonOf(error: unknown): string | undefined {
  return error instanceof StowageError ? reasons[error.code] : undefined;
}
