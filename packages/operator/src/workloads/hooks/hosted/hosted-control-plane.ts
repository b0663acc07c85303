import {
  type APIServer,
  type KubernetesObject,
  type ResourceType,
  StowageError,
  type Toleration,
} from "@stowage/machinery";
import { type OptionalInformerDeps, optionalInformer } from "../../../configuration/index.ts";
import type { OperatorWatch } from "../../../operator-controllers/index.ts";

/** A cluster whose control plane is Pods in a namespace of another one, as far as those Pods depend on it. */
export interface HostedControlPlane extends KubernetesObject {
  spec?: {
    nodeSelector?: Record<string, string>;
    labels?: Record<string, string>;
    tolerations?: Toleration[];
    platform?: { powervs?: HostedPowerVS };
    /** What the guest is configured with: HyperShift writes it into the guest, in its own time. */
    configuration?: { apiServer?: APIServer["spec"] };
  };
}

/** The part of Power Virtual Server that the guest's machines are in, and who may ask for storage there. */
export interface HostedPowerVS {
  zone?: string;
  serviceInstanceID?: string;
  /** A Secret in the control plane's namespace. */
  storageOperatorCloudCreds?: { name?: string };
}

export const hostedControlPlanes: ResourceType<HostedControlPlane> = {
  group: "hypershift.openshift.io",
  version: "v1beta1",
  kind: "HostedControlPlane",
  plural: "hostedcontrolplanes",
  namespaced: true,
};

/** Who watches it syncs when what the control plane asks of its Pods changes. */
export interface HostedControlPlaneSource extends OperatorWatch {
  /** Rejects when there is not exactly one: guesses would be rolled out. */
  current(signal: AbortSignal): Promise<HostedControlPlane>;
}

/** Watches: HostedControlPlanes of the namespace, of which there is one. */
export function hostedControlPlaneSource(deps: OptionalInformerDeps, namespace: string): HostedControlPlaneSource {
  const informer = optionalInformer(deps, { type: hostedControlPlanes, selection: { namespace } });
  return {
    feed: (controller) => informer.feed(controller),
    waitForSync: (signal) => informer.waitForSync(signal),
    current: async (signal) => theOnly((await informer.objects(signal))?.list() ?? [], namespace),
  };
}

function theOnly(found: readonly HostedControlPlane[], namespace: string): HostedControlPlane {
  const [hosted] = found;
  if (hosted !== undefined && found.length === 1) return hosted;
  const what = hosted === undefined ? "no HostedControlPlane" : "more than one HostedControlPlane";
  throw new StowageError("CLUSTER_CONFIG_MISSING", `there is ${what} in namespace ${namespace}`, {
    nextStep: "Run the operator in the namespace of the control plane that it is for.",
  });
}
