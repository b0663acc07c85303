/**
 * What an operator would apply, for people and for tests: `render-driver.ts` puts the facts of a cluster that is not there
 * (`assumed-cluster.ts`) through the functions that the operator itself uses, and `usual-images.ts` names images where nobody did.
 */
export { type AssumedCluster, usualCluster } from "./assumed-cluster.ts";
export { renderDriver } from "./render-driver.ts";
