import { StowageError } from "@stowage/machinery";
import type { Keystone } from "./keystone.ts";

/** The zones of a cloud that are open for use. */
export interface AvailabilityZones {
  readonly compute: readonly string[];
  readonly volume: readonly string[];
}

const SERVICES = { compute: ["compute"], volume: ["volumev3", "block-storage"] } as const;

/** Of Nova and of Cinder, which call them the same or do not. */
export async function availabilityZones(keystone: Keystone, signal: AbortSignal): Promise<AvailabilityZones> {
  const zonesOf = async (service: keyof typeof SERVICES) => {
    const endpoint = await keystone.endpointOf(SERVICES[service], signal);
    const request = { what: `for the zones of its ${service} service`, url: `${endpoint}/os-availability-zone` };
    return openZones(await keystone.get(request, signal), service);
  };
  // One after the other: both need the token that the first asks for.
  const compute = await zonesOf("compute");
  return { compute, volume: await zonesOf("volume") };
}

function openZones(body: unknown, service: string): string[] {
  const { availabilityZoneInfo: zones } = (body ?? {}) as { availabilityZoneInfo?: unknown };
  if (!Array.isArray(zones)) {
    throw new StowageError(
      "CLOUD_REFUSED",
      `the cloud was asked for the zones of its ${service} service, and answered with something else`,
    );
  }
  return (zones as readonly { zoneName?: unknown; zoneState?: { available?: unknown } }[])
    .filter(({ zoneState }) => zoneState?.available === true)
    .map(({ zoneName }) => zoneName)
    .filter((name) => typeof name === "string");
}
