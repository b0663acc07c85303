/**
 * What each sidecar may do. `role-table.ts` has all of it, put together of the `rbac.ts` beside each sidecar; `role-objects.ts` makes
 * of a part what is applied to a cluster, and `npm run generate` writes that to `packages/sidecars/rbac/`.
 */
export { type Permission, permissionsOf, permissionText } from "./merged-rules.ts";
export { desiredRoleObjects, serviceAccountName } from "./role-objects.ts";
export { type PartName, partPurposes, type RoleName, type RoleParts, roleTable } from "./role-table.ts";
