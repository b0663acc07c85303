import { StowageError } from "@stowage/machinery";
import { type ReadCloudZones, shouldEnableTopology, type ZonesInput } from "./cloud-zones.ts";
import { configNamespace, topologyKey, userConfigName } from "./config-sources.ts";

export interface TopologyChoice {
  readonly topology: string;
  /** Why the cloud could not be asked: to be told once the rest is done. */
  readonly failure?: StowageError;
}

export interface TopologyInput extends ZonesInput {
  /** What the configuration says; empty when it leaves that open. */
  readonly configured: string;
  /** What the driver has now. */
  readonly present: string | undefined;
}

/**
 * The configuration decides, else the zones of the cloud. While those cannot be told it stays as it is: a driver whose topology comes
 * and goes with the cloud's API would restart each time, and forget in which zones its volumes are.
 */
export async function chooseTopology(
  readZones: ReadCloudZones,
  { configured, present, ...input }: TopologyInput,
  signal: AbortSignal,
): Promise<TopologyChoice> {
  if (configured !== "") return { topology: configured };
  try {
    return { topology: String(shouldEnableTopology(await readZones(input, signal))) };
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const topology = present ?? "false";
    const failure = new StowageError(
      "CLOUD_CONFIG_INVALID",
      `whether volumes follow the zones of servers could not be found out, so ${topologyKey} is ${topology}: ${reason}`,
      {
        cause: error,
        nextStep: `Let the operator reach the cloud, or set ${topologyKey} in ConfigMap ${configNamespace}/${userConfigName}.`,
      },
    );
    return { topology, failure };
  }
}
