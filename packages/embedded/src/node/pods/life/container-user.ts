import { type Container, type Pod, StowageError } from "@stowage/machinery";
import type { ContainerUser } from "../../runtime/index.ts";

/** Who a container is: as it says itself, as its Pod says, or as its image says. */
export function containerUser(pod: Pod, container: Container, imageUser = 0): ContainerUser {
  const ofPod = pod.spec?.securityContext ?? {};
  const own = container.securityContext ?? {};
  const uid = own.runAsUser ?? ofPod.runAsUser ?? imageUser;
  const mustNotBeRoot = own.runAsNonRoot ?? ofPod.runAsNonRoot ?? false;
  if (mustNotBeRoot && uid === 0) throw isRoot(pod, container);
  const groups = [...(ofPod.supplementalGroups ?? []), ...(ofPod.fsGroup === undefined ? [] : [ofPod.fsGroup])];
  return { uid, gid: own.runAsGroup ?? ofPod.runAsGroup ?? 0, supplementalGroups: [...new Set(groups)] };
}

function isRoot(pod: Pod, { name, securityContext }: Container): StowageError {
  const { name: podName, namespace, uid } = pod.metadata;
  const isAsked = (securityContext?.runAsUser ?? pod.spec?.securityContext?.runAsUser) === 0;
  const why = isAsked
    ? "container's runAsUser breaks non-root policy"
    : "container has runAsNonRoot and image will run as root";
  return new StowageError("CONTAINER_CONFIG", `${why} (pod: "${podName}_${namespace}(${uid})", container: ${name})`);
}
