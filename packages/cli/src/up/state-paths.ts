import { existsSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { socketPathProblem } from "@stowage/csi";
import { StowageError } from "@stowage/machinery";
import { statePaths } from "./up-state.ts";

/** SQLite takes 512, and puts `-journal` after the path of a database. */
const LONGEST_DATABASE_PATH = 504;

export interface StateNames {
  readonly nodes: number;
  readonly driverName: string;
}

/**
 * Throws UP_PATH_TOO_LONG when the API server could not open its database, or a node not reach the sockets of its driver: it would wait
 * for ever, and say nothing of why.
 */
export function checkPaths(stateDir: string, names: StateNames, platform = process.platform): void {
  const cluster = statePaths.cluster(realPlace(stateDir));
  const problem = databaseProblem(cluster) ?? socketsProblem(cluster, names, platform);
  if (problem === undefined) return;
  throw new StowageError("UP_PATH_TOO_LONG", `the path of ${stateDir} is too long: ${problem}`);
}

function databaseProblem(cluster: string): string | undefined {
  // As it is called until it is whole.
  const bytes = Buffer.byteLength(join(cluster, "apiserver", "state.db.new"));
  if (bytes <= LONGEST_DATABASE_PATH) return undefined;
  return `the path of a database has at most ${LONGEST_DATABASE_PATH} bytes, that of the API server's would have ${bytes}`;
}

function socketsProblem(
  cluster: string,
  { nodes, driverName }: StateNames,
  platform: NodeJS.Platform,
): string | undefined {
  const node = join(cluster, "nodes", `node-${nodes}`);
  const sockets = [
    join(node, "plugins", driverName, "csi.sock"),
    join(node, "plugins_registry", `${driverName}-reg.sock`),
  ];
  return sockets.map((path) => socketPathProblem(path, platform)).find((problem) => problem !== undefined);
}

/** Where a path leads, of which the end may not be there yet. */
function realPlace(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const parent = dirname(resolve(path));
  return join(realPlace(parent), basename(path));
}
