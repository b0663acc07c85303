/**
 * The CustomResourceDefinitions of snapshots: `snapshot-definitions.ts` and `group-definitions.ts` have them, written with
 * `@stowage/machinery/crds` and the shapes that only they need, in `snapshot-shapes.ts`; `ensure-crds.ts` installs what is missing;
 * `wait-for-api.ts` says what is there. They are code so that a process needs no files to install them; `npm run generate` writes
 * them to `packages/sidecars/crds/` too.
 */
export { type EnsureCrdsDeps, type EnsureCrdsOptions, ensureSnapshotCrds } from "./ensure-crds.ts";
export { snapshotCrds } from "./snapshot-crds.ts";
export { type SnapshotApi, type SnapshotApiDeps, type WaitOptions, waitForSnapshotApi } from "./wait-for-api.ts";
