import { type Container, StowageError, type VolumeMount, type VolumeMountStatus } from "@stowage/machinery";

/** Whether what is mounted below a mount is read-only too. Throws `CONTAINER_CONFIG`, in kubelet's words, for what cannot be. */
export function isRecursivelyReadOnly({ name, readOnly, recursiveReadOnly, mountPropagation }: VolumeMount): boolean {
  if (recursiveReadOnly === undefined || recursiveReadOnly === "Disabled") return false;
  const wants = `volume "${name}" requested recursive read-only mode, but it is not`;
  if (readOnly !== true) throw refused(`${wants} read-only`);
  if (mountPropagation !== undefined && mountPropagation !== "None") {
    throw refused(`${wants} compatible with propagation "${mountPropagation}"`);
  }
  if (recursiveReadOnly === "IfPossible" || recursiveReadOnly === "Enabled") return true;
  throw refused(`unknown recursive read-only mode "${recursiveReadOnly}"`);
}

/** What a container's status tells of its mounts. */
export function volumeMountStatuses({ volumeMounts = [] }: Container): VolumeMountStatus[] {
  return volumeMounts.map((mount) => ({
    name: mount.name,
    mountPath: mount.mountPath,
    ...(mount.readOnly === true && { readOnly: true, recursiveReadOnly: toldMode(mount) }),
  }));
}

/** One that cannot be is told by why the container does not start. */
function toldMode(mount: VolumeMount): "Enabled" | "Disabled" {
  try {
    return isRecursivelyReadOnly(mount) ? "Enabled" : "Disabled";
  } catch {
    return "Disabled";
  }
}

function refused(message: string): StowageError {
  return new StowageError("CONTAINER_CONFIG", `failed to resolve recursive read-only mode: ${message}`);
}
