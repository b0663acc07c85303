import { type Deployment, type PodSpec, StowageError, type Volume } from "@stowage/machinery";
import { type WorkloadHook, withPodSpec, withSecretProviderClass, withTokenMinter } from "@stowage/operator";
import type { HostedProfile, HostedSources } from "../driver-profile.ts";
import { isStackHub } from "./stack-hub.ts";

/** Of the assets: what the injector makes the driver's configuration of. */
const INJECTOR = "azure-inject-credentials";
const injectorVolumes = ["src-cloud-config", "cloud-sa-volume"];

export interface AzureHostedSpec {
  /** `azure-disk`: of the driver, and of the volume with its certificates. */
  readonly id: string;
  readonly assetPrefix: string;
  /** In the guest. */
  readonly namespace: string;
  /** On Azure's own service: names the SecretProviderClass with the identity of this driver's controller. */
  readonly classVariable: string;
  /** As in `HostedProfile`. */
  readonly guestContainers?: readonly string[];
}

/** A driver of Azure beside a hosted control plane. HyperShift puts the whole configuration there, and nothing has to be made of it. */
export function azureHosted(spec: AzureHostedSpec): HostedProfile {
  const { id, assetPrefix, guestContainers } = spec;
  const config = `${id}-csi-config`;
  return {
    ...(guestContainers && { guestContainers }),
    controller: { secrets: [config, `${assetPrefix}-controller-metrics-serving-cert`], configMaps: [] },
    hooks: (sources) => [hostedHook(spec, config, sources)],
  };
}

/** One hook: the configuration is in the originals' assets, and only the identity is a hook of theirs. */
function hostedHook(spec: AzureHostedSpec, config: string, { env, facts }: HostedSources): WorkloadHook<Deployment> {
  const identity = identityHook(spec, env);
  return async (deployment, context) => {
    if (isStackHub(await facts.current(context.signal))) throw notOnStackHub(spec);
    return identity(
      withPodSpec(deployment, (pod) => configuredPod(pod, config)),
      context,
    );
  };
}

/** A certificate on Azure's own service, and elsewhere a token of the guest, which the configuration names. */
function identityHook(
  { id, assetPrefix, namespace, classVariable }: AzureHostedSpec,
  env: HostedSources["env"],
): WorkloadHook<Deployment> {
  const className = env[classVariable]?.trim();
  if (className) return withSecretProviderClass(id, className);
  const serviceAccount = `${assetPrefix}-controller-sa`;
  return withTokenMinter({ image: env["HYPERSHIFT_IMAGE"], namespace, serviceAccount });
}

function configuredPod({ initContainers = [], volumes = [], ...pod }: PodSpec, config: string): PodSpec {
  const others = initContainers.filter(({ name }) => name !== INJECTOR);
  return {
    ...pod,
    ...(others.length > 0 && { initContainers: others }),
    volumes: volumes
      .filter(({ name }) => !injectorVolumes.includes(name))
      .map((volume) => hostedVolume(volume, config)),
  };
}

function hostedVolume(volume: Volume, config: string): Volume {
  const { name } = volume;
  if (name === "cloud-config") return { name, secret: { secretName: config } };
  // A token of the management cluster is nothing to the cloud.
  return name === "bound-sa-token" ? { name, emptyDir: { medium: "Memory" } } : volume;
}

function notOnStackHub({ id }: AzureHostedSpec): StowageError {
  const why = "nothing there says where that cloud is";
  return new StowageError(
    "DRIVER_NOT_HOSTED",
    `${id} does not run beside a hosted control plane on Azure Stack Hub: ${why}`,
  );
}
