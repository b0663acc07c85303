import { StowageError } from "@stowage/machinery";
import { checkSocketPath } from "../sockets/index.ts";

/**
 * The path of a driver's socket from what a flag such as `--csi-address` may hold: a path, or `unix:` with or without slashes.
 * Other transports are refused: a CSI socket has no authentication but the permissions of its file.
 */
export function socketPath(endpoint: string): string {
  const path = endpoint.replace(/^unix:(?:\/\/)?/, "");
  if (!path.startsWith("/")) {
    throw new StowageError(
      "CSI_ENDPOINT_INVALID",
      `The CSI endpoint "${endpoint}" is not an absolute path of a socket.`,
    );
  }
  checkSocketPath(path);
  return path;
}
