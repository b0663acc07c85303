import { lstat, mkdir, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { StowageError } from "@stowage/machinery";
import { checkSocketPath, connectToSocket } from "../../sockets/index.ts";

const connectTimeoutMs = 2000;

/**
 * Makes the place of a socket free: its folder is there, and a socket that a killed process left behind is gone. Whatever else
 * is there stays: a file may be somebody's data, and a live socket is somebody's service.
 */
export async function clearSocketPath(path: string): Promise<void> {
  checkSocketPath(path);
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const found = await lstat(path).catch(ignoreMissing);
    if (!found) return;
    if (!found.isSocket()) throw unusable(path, "something that is not a socket is there");
    await refuseLive(path);
    await unlink(path).catch(ignoreMissing);
  } catch (error) {
    throw error instanceof StowageError ? error : unusable(path, String(error), error);
  }
}

export function unusable(path: string, why: string, cause?: unknown): StowageError {
  return new StowageError("CSI_SOCKET_UNUSABLE", `cannot listen at ${path}: ${why}`, { cause });
}

async function refuseLive(path: string): Promise<void> {
  const failure = await tryConnect(path);
  if (failure === "ECONNREFUSED" || failure === "ENOENT") return;
  if (failure === "EACCES") throw unusable(path, "a socket is there that this process may not connect to");
  // A full backlog, or silence: whoever listens is busy, not gone.
  throw new StowageError("CSI_SOCKET_IN_USE", `cannot listen at ${path}: another process listens there`);
}

/** The code of the error, or nothing when somebody answered. */
function tryConnect(path: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connectToSocket(path);
  socket.setTimeout(connectTimeoutMs, () => resolve("ETIMEDOUT"));
  socket.once("connect", () => resolve(undefined));
  socket.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? "UNKNOWN"));
  return promise.finally(() => socket.destroy());
}

export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
