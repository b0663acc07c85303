import type * as lab from "@stowage/lab";
import { StowageError } from "@stowage/machinery";

export type LabModule = typeof lab;

/** Neither the bundle nor an image has the lab: it builds from files of a checkout, with Go. */
export async function openLab(): Promise<LabModule> {
  try {
    return await import("@stowage/lab");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    const message = "this program was not started from a checkout, which has what the real Kubernetes is built from";
    throw new StowageError("UP_NO_LAB", message, { cause: error });
  }
}

/** What the lab says went wrong, with what it says can be done. */
export function toUpError({ LabError }: LabModule, error: unknown): unknown {
  if (!(error instanceof LabError)) return error;
  const { message, nextStep } = error;
  return new StowageError("UP_CONTROL_PLANE", message, { cause: error, ...(nextStep !== undefined && { nextStep }) });
}
