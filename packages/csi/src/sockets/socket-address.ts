import { closeSync, constants, fstatSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { checkSocketPath, type WayToSocket, wayToSocket } from "./socket-path.ts";

/** Of Linux; Node does not name it. What is opened so is a place alone, which takes no right to read it. */
const O_PATH = 0o10_000_000;

/** What the kernel is given for a socket's path. It is good until it is disposed of. */
export interface SocketAddress extends Disposable {
  readonly path: string;
  /** False when the folder was removed, or replaced by another one. */
  isInPlace(): boolean;
}

/**
 * A path that the kernel takes stays as it is. One that is too long for it leads through the folder as this process has it open: the socket
 * is at its place all the same. Throws what opening a folder throws.
 */
export function openSocketAddress(path: string): SocketAddress {
  checkSocketPath(path);
  const way = wayToSocket(path);
  return way === undefined ? { path, isInPlace: () => true, [Symbol.dispose]: () => {} } : openFolder(way);
}

function openFolder({ folder, name }: WayToSocket): SocketAddress {
  const fd = openSync(folder, O_PATH | constants.O_DIRECTORY);
  // Closes once: the number may be another file's by the second time.
  const opened = new DisposableStack();
  opened.defer(() => closeSync(fd));
  return {
    path: join("/proc/self/fd", String(fd), name),
    isInPlace() {
      const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
      const own = fstatSync(fd, { bigint: true });
      return found?.ino === own.ino && found.dev === own.dev;
    },
    [Symbol.dispose]: () => opened.dispose(),
  };
}
