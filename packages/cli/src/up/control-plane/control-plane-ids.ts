/** Whose API server and controllers a cluster of `stowage up` has; the command line has them without loading anything else. */
export const controlPlaneIds = ["embedded", "kubernetes"] as const;

export type ControlPlaneId = (typeof controlPlaneIds)[number];
