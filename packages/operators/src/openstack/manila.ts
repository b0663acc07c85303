import { StowageError } from "@stowage/machinery";
import type { Keystone } from "./keystone.ts";

/** A kind of share that a cloud offers. */
export interface ShareType {
  readonly name: string;
}

/** OpenStack's shared file systems. */
export interface Manila {
  /** By name; none where nobody has made any. Fails with CLOUD_SERVICE_MISSING where the cloud has no such service. */
  shareTypes(signal: AbortSignal): Promise<ShareType[]>;
}

/** Clouds have it by the first as a rule, and by the second where they follow the list of official types. */
const SERVICE_TYPES = ["sharev2", "shared-file-system"];
/** The first in which types are shown to everybody who may use them. */
const API_VERSION = "2.7";

export function createManila(keystone: Keystone): Manila {
  return {
    async shareTypes(signal) {
      const endpoint = await keystone.endpointOf(SERVICE_TYPES, signal);
      const headers = { "x-openstack-manila-api-version": API_VERSION };
      const request = { what: "for Manila's share types", url: `${endpoint}/types`, headers };
      return shareTypesOf(await keystone.get(request, signal));
    },
  };
}

function shareTypesOf(body: unknown): ShareType[] {
  const { share_types: types } = (body ?? {}) as { share_types?: unknown };
  if (!Array.isArray(types)) {
    throw new StowageError("CLOUD_REFUSED", "Manila was asked for its share types, and answered with something else");
  }
  return types
    .map(({ name }: { readonly name?: unknown }) => name)
    .filter((name) => typeof name === "string")
    .filter((name) => name !== "")
    .toSorted()
    .map((name) => ({ name }));
}
