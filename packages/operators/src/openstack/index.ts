/**
 * OpenStack's own APIs, as far as an operator has to ask them. In reading order:
 *
 * - `clouds-file.ts`: what a `clouds.yaml` says of a cloud and of how to get into it
 * - `keystone.ts`: who we are, and which services the cloud has
 * - `manila.ts`: shared file systems
 * - `availability-zones.ts`: where servers and volumes can be
 */
export { type AvailabilityZones, availabilityZones } from "./availability-zones.ts";
export { parseCloudsFile } from "./clouds-file.ts";
export { createKeystone, type Keystone } from "./keystone.ts";
export { createManila, type ShareType } from "./manila.ts";
