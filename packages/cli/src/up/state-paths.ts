import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { StowageError } from "@stowage/machinery";
import { statePaths } from "./up-state.ts";

/** What the kernel takes for the path of a socket, without the zero at its end. */
const SOCKET_PATH_BYTES = 107;

export interface SocketNames {
  readonly nodes: number;
  readonly driverName: string;
}

/** Throws UP_PATH_TOO_LONG when a node could not reach the sockets of its driver: it would wait for ever, and say nothing of why. */
export function checkPaths(stateDir: string, { nodes, driverName }: SocketNames): void {
  const node = join(statePaths.cluster(realPlace(stateDir)), "nodes", `node-${nodes}`);
  const sockets = [
    join(node, "plugins", driverName, "csi.sock"),
    join(node, "plugins_registry", `${driverName}-reg.sock`),
  ];
  const excess = Math.max(...sockets.map((path) => Buffer.byteLength(path))) - SOCKET_PATH_BYTES;
  if (excess <= 0) return;
  const message = `the path of ${stateDir} is too long by ${excess} bytes: sockets in it may have ${SOCKET_PATH_BYTES} in all`;
  throw new StowageError("UP_PATH_TOO_LONG", message);
}

/** Where a path leads, of which the end may not be there yet. */
function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(resolve(path));
  return join(realPlace(parent), basename(path));
}
