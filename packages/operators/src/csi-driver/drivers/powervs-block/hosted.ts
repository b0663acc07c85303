import { type Deployment, type EnvVar, type PodSpec, StowageError } from "@stowage/machinery";
import {
  type HostedPowerVS,
  type WorkloadHook,
  withDependencies,
  withPodSpec,
  withTokenMinter,
} from "@stowage/operator";
import type { HostedSources } from "../../driver-profile.ts";

const DRIVER = "csi-driver";
/** Fits nodes to their storage pools. */
export const NODE_UPDATER = "node-update-controller";
const KEY_VARIABLE = "IBMCLOUD_API_KEY";
/** Says which machine the driver is on, which is none of the guest's. */
const NODE_VARIABLE = "CSI_NODE_NAME";
const SCC_ANNOTATION = "openshift.io/required-scc";

/** What the driver has to be told there; elsewhere it finds it out from the machine that it is on. */
export interface HostedWorkspace {
  readonly credentials: string;
  readonly variables: readonly EnvVar[];
}

/**
 * The original's operator is told of a guest and has no code for it; so this is ours. HyperShift's control plane says in which part of
 * the cloud the cluster is, and which Secret beside it has the key for storage.
 */
export function powervsHostedHook(
  { env, controlPlane, secret }: HostedSources,
  account: { readonly namespace: string; readonly serviceAccount: string },
): WorkloadHook<Deployment> {
  const minted = withTokenMinter({ ...account, image: env["HYPERSHIFT_IMAGE"] });
  return async (deployment, context) => {
    const { spec } = await controlPlane.current(context.signal);
    const workspace = hostedWorkspace(spec?.platform?.powervs);
    const told = withPodSpec(withoutHost(deployment), (pod) => toldPod(pod, workspace));
    return minted(withDependencies(() => [versionOf(secret(workspace.credentials))])(told), context);
  };
}

export function hostedWorkspace(powervs: HostedPowerVS | undefined): HostedWorkspace {
  const { zone, serviceInstanceID, storageOperatorCloudCreds } = powervs ?? {};
  const credentials = storageOperatorCloudCreds?.name;
  if (!zone || !serviceInstanceID || !credentials) {
    throw new StowageError(
      "CLUSTER_CONFIG_MISSING",
      "the HostedControlPlane does not say where in PowerVS its guest is",
      {
        nextStep:
          "Look at spec.platform.powervs of the HostedControlPlane: zone, serviceInstanceID and storageOperatorCloudCreds have to be there.",
      },
    );
  }
  return {
    credentials,
    variables: [
      { name: "POWERVS_CLOUD_INSTANCE_ID", value: serviceInstanceID },
      { name: "POWERVS_ZONE", value: zone },
    ],
  };
}

/** In a network of its own, and with no more rights than any other Pod of a control plane: it looks at no machine. */
function withoutHost(deployment: Deployment): Deployment {
  const { spec } = deployment;
  if (spec === undefined) return deployment;
  const { metadata } = spec.template;
  const annotations = { ...metadata?.annotations, [SCC_ANNOTATION]: "restricted-v2" };
  const unhosted = {
    ...deployment,
    spec: { ...spec, template: { ...spec.template, metadata: { ...metadata, annotations } } },
  };
  return withPodSpec(unhosted, ({ hostNetwork: _host, ...pod }) => pod);
}

function toldPod(pod: PodSpec, { credentials, variables }: HostedWorkspace): PodSpec {
  const driverImage = pod.containers.find(({ name }) => name === DRIVER)?.image;
  const containers = pod.containers.map((container) => {
    const { name, args = [], env = [] } = container;
    const keyed = env.filter((variable) => variable.name !== NODE_VARIABLE).map((each) => keyFrom(each, credentials));
    if (name === DRIVER) {
      // It is a node, too, when nobody says what it is, and looks for its machine.
      return { ...container, args: ["controller", ...args], env: [...keyed, ...variables] };
    }
    // Another program of the driver's image, so that it has to be the management cluster's, too.
    return name === NODE_UPDATER ? { ...container, env: keyed, image: driverImage } : container;
  });
  return { ...pod, containers };
}

function keyFrom(variable: EnvVar, secretName: string): EnvVar {
  const key = variable.valueFrom?.secretKeyRef;
  if (variable.name !== KEY_VARIABLE || key === undefined) return variable;
  return { ...variable, valueFrom: { secretKeyRef: { ...key, name: secretName } } };
}

/** What is in the Secret is not kept: which one it is, only the control plane says. That it was written anew is enough to restart for. */
function versionOf<S extends { readonly metadata: { readonly resourceVersion?: string } }>(found: S | undefined) {
  if (found === undefined) return undefined;
  return { ...found, data: { version: found.metadata.resourceVersion ?? "" } };
}
