import type { Clock } from "@stowage/machinery";
import { createCloudHttp } from "../../cloud-config/index.ts";
import { createKeystone, parseCloudsFile } from "../../openstack/index.ts";
import type { VolumeCloud } from "../volume-cloud.ts";
import { createCinderCloud } from "./cinder-cloud.ts";

export interface CinderAccess {
  /** A `clouds.yaml`. It holds secrets. */
  readonly cloudsText: string;
  /** Where it was read, for messages. */
  readonly where: string;
  /** In PEM. */
  readonly authority?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

/** Nothing is sent yet. */
export function connectToCinder({ cloudsText, where, authority, env, clock }: CinderAccess): VolumeCloud {
  const access = parseCloudsFile(cloudsText, where);
  const trust = authority === undefined ? {} : { authority };
  const http = createCloudHttp({ ...trust, isVerified: access.isVerified, env });
  return createCinderCloud({ keystone: createKeystone({ http, clock }, access) });
}
