import type { Status } from "@stowage/machinery";

export type ExecStatus = Omit<Status, "apiVersion" | "kind">;

/** How a command ended, as clients are told: it may not even have begun. */
export async function execStatus(running: Promise<number>): Promise<ExecStatus> {
  try {
    return exitStatus(await running);
  } catch (error) {
    const why = `error executing command in container: ${error instanceof Error ? error.message : "unknown"}`;
    const message = `Internal error occurred: ${why}`;
    const details = { causes: [{ message: why }] };
    return { metadata: {}, status: "Failure", message, reason: "InternalError", details, code: 500 };
  }
}

function exitStatus(code: number): ExecStatus {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}
