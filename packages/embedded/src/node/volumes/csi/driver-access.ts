import {
  type CsiClient,
  type MessageInitShape,
  type NodeCapabilityName,
  NodeServiceCapability_RPC_Type as NodeType,
  type VolumeCapabilitySchema,
} from "@stowage/csi";
import type { Executor, Mounter } from "@stowage/csi/host";
import type { EventRecorder, KubeClient } from "@stowage/kube";
import { type Clock, type CSIDriver, csiDrivers, type Logger, secrets } from "@stowage/machinery";
import type { PodTokens } from "../files/pod-tokens.ts";
import { volumeCapability } from "./csi-capability.ts";
import type { CsiPaths } from "./csi-paths.ts";
import type { CsiVolume, SecretRef } from "./csi-volume.ts";
import { csiFailure, failureText, VolumeFailure } from "./volume-failure.ts";

export interface CsiDeps {
  readonly client: KubeClient;
  /** Those that are registered on the node. */
  readonly drivers: { driver(name: string): { readonly client: Pick<CsiClient, "node"> } | undefined };
  readonly nodeName: string;
  readonly paths: CsiPaths;
  readonly mounter: Mounter;
  readonly executor: Executor;
  readonly events: EventRecorder;
  readonly tokens: Pick<PodTokens, "get">;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type NodeCalls = CsiClient["node"];

/** The driver, when it is registered here. `who` is what of kubelet would ask for it. */
export function nodeCalls({ drivers }: CsiDeps, driver: string, who: string): NodeCalls {
  const found = drivers.driver(driver);
  if (found !== undefined) return found.client.node;
  throw csiFailure("transient", `${who}: driver name ${driver} not found in the list of registered CSI drivers`);
}

/** What the cluster knows of the driver; it may know nothing. */
export async function driverObject({ client }: CsiDeps, name: string): Promise<CSIDriver | undefined> {
  try {
    return await client.find(csiDrivers, { name });
  } catch (error) {
    throw new VolumeFailure("transient", failureText(error), error);
  }
}

/** Asked each time, as kubelet does: a driver may come back as another version. */
export async function hasCapability(node: NodeCalls, name: NodeCapabilityName, signal: AbortSignal): Promise<boolean> {
  try {
    const { capabilities } = await node.nodeGetCapabilities({}, { signal });
    return capabilities.some(({ type }) => type.case === "rpc" && type.value.type === NodeType[name]);
  } catch (error) {
    throw new VolumeFailure("transient", failureText(error), error);
  }
}

/** How the volume is to be used, in the driver's own terms. */
export async function askedCapability(
  node: NodeCalls,
  volume: CsiVolume,
  mountGroup: number | undefined,
  signal: AbortSignal,
): Promise<MessageInitShape<typeof VolumeCapabilitySchema>> {
  const knowsSingleWriters = await hasCapability(node, "SINGLE_NODE_MULTI_WRITER", signal);
  return volumeCapability({ ...volume, mountGroup }, { knowsSingleWriters });
}

/** `field` is where it is named. */
export async function secretData(
  { client }: CsiDeps,
  ref: SecretRef | undefined,
  field: string,
): Promise<Record<string, string>> {
  if (ref === undefined) return {};
  const { namespace, name } = ref;
  try {
    const { data = {} } = await client.get(secrets, { namespace, name });
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, "base64").toString()]),
    );
  } catch (error) {
    const why = `kubernetes.io/csi: failed to find the secret ${name} in the namespace ${namespace} with error: ${failureText(error)}`;
    throw new VolumeFailure("transient", `fetching ${field} ${namespace}/${name} failed: ${why}`, error);
  }
}
