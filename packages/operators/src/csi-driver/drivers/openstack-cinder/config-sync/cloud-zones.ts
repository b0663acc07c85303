import type { Clock, Secret } from "@stowage/machinery";
import { createCloudHttp } from "../../../../cloud-config/index.ts";
import {
  type AvailabilityZones,
  availabilityZones,
  createKeystone,
  type Keystone,
  parseCloudsFile,
} from "../../../../openstack/index.ts";
import { CREDENTIALS_KEY, nameOf } from "./config-sources.ts";

export interface ZonesInput {
  /** With `clouds.yaml`; undefined until the platform has made it. */
  readonly credentials: Secret | undefined;
  /** In PEM, of the cloud itself. */
  readonly authority: string | undefined;
}

/** The seam to the cloud. Undefined without credentials: then topology is off unless the configuration says otherwise. */
export type ReadCloudZones = (input: ZonesInput, signal: AbortSignal) => Promise<AvailabilityZones | undefined>;

/** The driver's Pods wait for the answer. */
const PATIENCE_MS = 10_000;
/** In the Secret, where the credentials came with it. */
const SECRET_AUTHORITY_KEY = "cacert";

/** Asks Nova and Cinder. As long as nothing changes, nobody logs in anew. */
export function cloudZonesReader(
  { env, clock }: { readonly env: Readonly<Record<string, string | undefined>>; readonly clock: Clock },
  createHttp = createCloudHttp,
): ReadCloudZones {
  let last: { readonly key: string; readonly keystone: Keystone } | undefined;
  return async ({ credentials, authority }, signal) => {
    const textOf = (key: string) => Buffer.from(credentials?.data?.[key] ?? "", "base64").toString("utf8") || undefined;
    const clouds = textOf(CREDENTIALS_KEY);
    // That a Secret lacks its key is told elsewhere.
    if (credentials === undefined || clouds === undefined) return undefined;
    const trusted = textOf(SECRET_AUTHORITY_KEY) ?? authority;
    const key = JSON.stringify([clouds, trusted]);
    if (last?.key !== key) {
      const access = parseCloudsFile(clouds, `${nameOf(credentials)}, key ${CREDENTIALS_KEY}`);
      const http = createHttp({ ...(trusted && { authority: trusted }), isVerified: access.isVerified, env });
      last = { key, keystone: createKeystone({ http, clock }, access) };
    }
    return availabilityZones(last.keystone, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  };
}

/**
 * Whether a volume is to be made in the zone of the node that will use it. Only where each zone of servers has one of volumes by the
 * same name: otherwise the driver would ask for zones that are not there. Not known is no: volumes are then made in the cloud's
 * default zone, as clouds with one zone have it, and where zones can reach each other.
 */
export function shouldEnableTopology(zones: AvailabilityZones | undefined): boolean {
  if (zones === undefined || zones.compute.length === 0) return false;
  return zones.compute.every((zone) => zones.volume.includes(zone));
}
