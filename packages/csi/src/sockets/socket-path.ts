import { basename, dirname } from "node:path";
import { StowageError } from "@stowage/machinery";

/** `PATH_MAX` of Linux, without the NUL at the end. */
const longestPathBytes = 4095;
/** `/proc/self/fd/`, the number of an open file, a slash. */
const openFolderBytes = 22;

/** `sun_path` has 108 bytes on Linux and 104 elsewhere, the last of which is NUL. */
const longestAddressBytes = (platform: NodeJS.Platform) => (platform === "linux" ? 107 : 103);

export interface WayToSocket {
  /** To be opened: its number stands in for its path. */
  readonly folder: string;
  readonly name: string;
}

/** Nothing when the kernel takes the path as it is. */
export function wayToSocket(path: string): WayToSocket | undefined {
  if (Buffer.byteLength(path) <= longestAddressBytes("linux")) return undefined;
  return { folder: dirname(path), name: basename(path) };
}

/** Why there can be no socket at the path. Only Linux has a way around the length of an address. */
export function socketPathProblem(path: string, platform = process.platform): string | undefined {
  const longest = longestAddressBytes(platform);
  if (platform !== "linux") return lengthProblem("the path of a socket", path, longest);
  if (wayToSocket(path) === undefined) return undefined;
  return (
    lengthProblem("a path", path, longestPathBytes) ??
    lengthProblem("the name of a socket in a deep folder", basename(path), longest - openFolderBytes)
  );
}

/** The kernel would cut what is longer, or refuse it with EINVAL: both are hard to find out about. */
export function checkSocketPath(path: string): void {
  const problem = socketPathProblem(path);
  if (problem === undefined) return;
  throw new StowageError("CSI_ENDPOINT_INVALID", `there can be no socket at ${path}: ${problem}`, {
    nextStep: "Choose a shorter path for the socket.",
  });
}

function lengthProblem(what: string, text: string, longest: number): string | undefined {
  const bytes = Buffer.byteLength(text);
  return bytes <= longest ? undefined : `${what} has at most ${longest} bytes, this one has ${bytes}`;
}
