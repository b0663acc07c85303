/**
 * Claims that do not start empty. `data-source.ts`: what they are filled from; `clone-source.ts` and `snapshot-source.ts`: whether that
 * can be used; `content-source.ts` does the asking. `source-protection.ts` keeps sources from being deleted under way;
 * `cloning-protection.ts` and `snapshot-sweeper.ts` let them go afterwards.
 */
export { createCloningProtection } from "./cloning-protection.ts";
export { prepareContentSource } from "./content-source.ts";
export { type DataSource, dataSourceOf, sourceLabel } from "./data-source.ts";
export { SourceElsewhere } from "./snapshot-source.ts";
export { runSnapshotSweeper } from "./snapshot-sweeper.ts";
export { releaseSnapshot } from "./source-protection.ts";
