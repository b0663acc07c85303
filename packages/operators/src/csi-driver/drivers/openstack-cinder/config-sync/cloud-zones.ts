/** The availability zones of a cloud that are open for use. */
export interface CloudZones {
  readonly compute: readonly string[];
  readonly volume: readonly string[];
}

/** The seam to the cloud. Undefined while nobody asks it: then topology is off unless the configuration says otherwise. */
export type ReadCloudZones = (signal: AbortSignal) => Promise<CloudZones | undefined>;

/**
 * Whether a volume is to be made in the zone of the node that will use it. Only where each zone of servers has one of volumes by the
 * same name: otherwise the driver would ask for zones that are not there. Not known is no: volumes are then made in the cloud's
 * default zone, as clouds with one zone have it, and where zones can reach each other.
 */
export function shouldEnableTopology(zones: CloudZones | undefined): boolean {
  if (zones === undefined || zones.compute.length === 0) return false;
  return zones.compute.every((zone) => zones.volume.includes(zone));
}
