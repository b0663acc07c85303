import type { Deployment, Volume } from "@stowage/machinery";
import { type WorkloadHook, withPodSpec } from "@stowage/operator";
import { hostedCloudConfigName } from "./share-types/index.ts";

/** The cloud's authority has another name beside a hosted control plane, where HyperShift puts it. */
export function withHostedAuthority(): WorkloadHook<Deployment> {
  const renamed = (volume: Volume): Volume =>
    volume.name === "cacert" && volume.configMap
      ? { ...volume, configMap: { ...volume.configMap, name: hostedCloudConfigName } }
      : volume;
  return (deployment) => withPodSpec(deployment, (pod) => ({ ...pod, volumes: pod.volumes?.map(renamed) }));
}
