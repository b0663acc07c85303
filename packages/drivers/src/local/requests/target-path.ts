import { realpath } from "node:fs/promises";
import { dirname, isAbsolute, normalize } from "node:path";
import { refusal } from "./refusal.ts";

export interface PathCheck {
  readonly volumeId: string;
  /** Such as `target path`. */
  readonly role: string;
  readonly path: string;
  readonly allowedDirs: readonly string[];
}

/** The path with symbolic links of its parents resolved, so that it is found in the mount table. Refused outside kubelet's. */
export async function checkedPath(check: PathCheck): Promise<string> {
  const { volumeId, role, path, allowedDirs } = check;
  const nextStep = `Use a path below ${allowedDirs.join(" or ")}.`;
  const isPlain = isAbsolute(path) && normalize(path).replace(/\/$/, "") === path.replace(/\/+$/, "");
  if (!isPlain || path.includes("\0")) {
    throw refusal(
      "INVALID_ARGUMENT",
      `Volume ${volumeId}: the ${role} ${path} is not a plain absolute path.`,
      nextStep,
    );
  }
  const resolved = await resolveExisting(path.replace(/\/+$/, ""));
  for (const directory of allowedDirs) {
    const allowed = await realpath(directory).catch(() => directory.replace(/\/+$/, ""));
    if (resolved.startsWith(`${allowed}/`)) return resolved;
  }
  throw refusal(
    "INVALID_ARGUMENT",
    `Volume ${volumeId}: the ${role} ${path} is outside kubelet's directory.`,
    nextStep,
  );
}

/** The last part is kept as it is: a target may be a link of our own making. */
async function resolveExisting(path: string): Promise<string> {
  const parent = dirname(path);
  if (parent === path) return path;
  const real = await realpath(parent).catch(() => undefined);
  const resolvedParent = real ?? (await resolveExisting(parent));
  return `${resolvedParent === "/" ? "" : resolvedParent}${path.slice(parent === "/" ? 0 : parent.length)}`;
}
