import type { CredentialsRequest } from "@stowage/machinery";
import { type Asset, parseManifests, replacePlaceholders } from "@stowage/operator";
import type { DriverProfile } from "../driver-profile.ts";
import { driverPlaceholders } from "./driver-placeholders.ts";

/** What a driver needs to get into its cloud, as the operator asks for it itself: of a driver that no payload brings. */
export interface DriverCredentials {
  /** `CredentialsRequestController`, and `NodeCredentialsRequestController` of that for the nodes alone. */
  readonly controller: string;
  readonly request: CredentialsRequest;
}

/** One for each file: `credentials.yaml`, `credentials-node.yaml`. */
export function credentialsOf(
  profile: Pick<DriverProfile, "namespace">,
  assets: readonly Asset[],
): DriverCredentials[] {
  return assets.flatMap(({ name, text }) => {
    const objects = parseManifests({ name, text: replacePlaceholders(text, driverPlaceholders(profile)) });
    const part = name === "credentials-node.yaml" ? "Node" : "";
    return (objects as CredentialsRequest[]).map((request) => ({
      controller: `${part}CredentialsRequestController`,
      request,
    }));
  });
}
