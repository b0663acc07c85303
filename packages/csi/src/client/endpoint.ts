import { StowageError } from "@stowage/machinery";

/** The kernel's limit for the path of a socket, without the zero at its end. */
const MAX_PATH_BYTES = 107;

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
  const length = Buffer.byteLength(path);
  if (length > MAX_PATH_BYTES) {
    throw new StowageError(
      "CSI_ENDPOINT_INVALID",
      `The CSI endpoint "${endpoint}" has ${length} bytes; the path of a socket can have ${MAX_PATH_BYTES}.`,
    );
  }
  return path;
}
