import { posix } from "node:path";
import { type Pod, StowageError } from "@stowage/machinery";

/**
 * Where containers mount other volumes below this one, as paths in it. Nobody can make these places later in a volume that is
 * read-only.
 */
export function nestedMountPoints({ spec }: Pod, volume: string): string[] {
  const { initContainers = [], containers = [] } = spec ?? {};
  const found = [...initContainers, ...containers].flatMap(({ volumeMounts = [] }) => {
    const all = volumeMounts.map(({ name, mountPath }) => ({ name, path: relativePath(mountPath) }));
    const paths = all.map(({ path }) => path).toSorted((a, b) => (a < b ? -1 : 1));
    return all.filter(({ name }) => name === volume).flatMap(({ path }) => outermostBelow(path, paths));
  });
  return [...new Set(found)];
}

function outermostBelow(path: string, all: readonly string[]): string[] {
  const below = path === "" ? all.filter((each) => each !== "") : all.filter((each) => each.startsWith(`${path}/`));
  const outermost = below.filter((each) => !below.some((other) => each.startsWith(`${other}/`)));
  return outermost.map((each) => (path === "" ? each : each.slice(path.length + 1)));
}

function relativePath(mountPath: string): string {
  const path = posix.normalize(mountPath).replace(/^\/+/, "").replace(/\/+$/, "");
  if (path !== ".." && !path.startsWith("../")) return path === "." ? "" : path;
  throw new StowageError("VOLUME_SOURCE_MISSING", `invalid container mount point ${mountPath}`);
}
