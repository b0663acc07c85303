import { wantedSubPath } from "../../volumes/subpath/wanted-sub-path.ts";
import type { ContainerStart } from "./container-start.ts";
import type { PodWorkerDeps } from "./pod-deps.ts";

/** Prepares those mounts of a container that are of a part of their volume; where they are, by index. */
export async function containerSubPaths(
  { subPaths }: PodWorkerDeps,
  { pod, container, volumes }: ContainerStart,
  env: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<number, string>> {
  const places = new Map<number, string>();
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const within = wantedSubPath(mount, env);
    const volume = volumes.get(mount.name);
    // Of one that is not there, whoever plans the container tells.
    if (within === "" || volume === undefined || volume.kind === "device") continue;
    const use = { podUid: pod.metadata.uid ?? "", container: container.name, index, volume: mount.name, within };
    places.set(index, await subPaths.prepared({ ...use, volumePath: volume.path }));
  }
  return places;
}
