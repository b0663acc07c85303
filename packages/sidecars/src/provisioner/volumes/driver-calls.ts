import { CsiError, isFinalError, type Volume } from "@stowage/csi";
import { isNotFound } from "@stowage/kube";
import { type Logger, StowageError } from "@stowage/machinery";
import { readSecret, type SecretRef } from "../../secrets/index.ts";
import type { Provisioning } from "../provisioning.ts";
import type { CreateRequest } from "../requests/index.ts";
import { supportsTopology } from "../topology/index.ts";

type CallDeps = Pick<Provisioning, "csi" | "driver" | "options" | "logger">;
type Secrets = Record<string, string>;

/** How a call of CreateVolume ended. */
export type CreateOutcome =
  | { readonly kind: "made"; readonly volume: Volume }
  /** Certainly nothing was made, and nothing is under way. */
  | { readonly kind: "refused"; readonly error: unknown }
  /** Nobody knows: the volume may exist, or still come into being. */
  | { readonly kind: "unknown"; readonly error: unknown };

export interface CreateCall {
  readonly request: CreateRequest;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

const CLEANUP_TRIES = 5;

/** A volume that is not what was asked for is deleted again, and counts as refused. */
export async function callCreateVolume(
  deps: CallDeps,
  { request, secrets, signal }: CreateCall,
): Promise<CreateOutcome> {
  let volume: Volume | undefined;
  try {
    const { timeoutMs } = deps.options;
    ({ volume } = await deps.csi.controller.createVolume({ ...request, secrets }, { timeoutMs, signal }));
    if (volume === undefined || volume.volumeId === "")
      throw new CsiError("UNKNOWN", "the driver's answer has no volume");
  } catch (error) {
    const isFinal = isFinalError(error, { isResourceExhaustedFinal: true });
    return { kind: isFinal && volume === undefined ? "refused" : "unknown", error };
  }
  const problem = answerProblem(request, volume);
  if (problem !== undefined) return await discard(deps, { volume, secrets, problem });
  // Drivers that do not say that they know places are not believed when they name one.
  return { kind: "made", volume: supportsTopology(deps.driver) ? volume : { ...volume, accessibleTopology: [] } };
}

/** In words, what the answer lacks. A size of 0 means that the driver does not know it. */
function answerProblem(request: CreateRequest, volume: Volume): string | undefined {
  const askedBytes = askedBytesOf(request);
  if (volume.capacityBytes !== 0n && volume.capacityBytes < askedBytes)
    return `created volume capacity ${volume.capacityBytes} less than requested capacity ${askedBytes}`;
  if (request.volumeContentSource !== undefined && volume.contentSource === undefined)
    return "volume content source missing";
  return undefined;
}

export function askedBytesOf({ capacityRange }: CreateRequest): bigint {
  return capacityRange?.requiredBytes ?? 0n;
}

interface Misfit {
  readonly volume: Volume;
  readonly secrets: Secrets;
  readonly problem: string;
}

async function discard(deps: CallDeps, { volume, secrets, problem }: Misfit): Promise<CreateOutcome> {
  const error = new StowageError("VOLUME_ANSWER_UNUSABLE", problem);
  try {
    await cleanUpVolume(deps, volume.volumeId, secrets);
    return { kind: "refused", error };
  } catch (cause) {
    const message = `${problem}, and the volume ${volume.volumeId} could not be deleted again`;
    return { kind: "unknown", error: new StowageError("VOLUME_ANSWER_UNUSABLE", message, { cause }) };
  }
}

export interface DeleteCall {
  readonly volumeId: string;
  readonly secrets: Secrets;
  readonly signal?: AbortSignal;
}

export async function callDeleteVolume(
  { csi, options }: CallDeps,
  { volumeId, secrets, signal }: DeleteCall,
): Promise<void> {
  await csi.controller.deleteVolume({ volumeId, secrets }, { timeoutMs: options.timeoutMs, signal });
}

/** For a volume that nothing in the cluster stands for yet: a few tries at once. */
export async function cleanUpVolume(deps: CallDeps, volumeId: string, secrets: Secrets): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await callDeleteVolume(deps, { volumeId, secrets });
    } catch (error) {
      if (tries === CLEANUP_TRIES) throw error;
    }
  }
}

/** For deleting, where a Secret may be gone before its volume is: then the driver is asked without. */
export async function readSecretIfPresent(
  { client, logger }: Pick<Provisioning, "client"> & { readonly logger: Logger },
  ref: SecretRef | undefined,
): Promise<Secrets> {
  try {
    return await readSecret(client, ref);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    logger.warn({ secret: ref, error }, "the Secret is gone; the driver is asked without it");
    return {};
  }
}
