/**
 * The words of Kubernetes storage that users and other programs rely on: annotations, finalizers, labels, condition types, event
 * reasons, parameters. Kept exactly as the original components have them; renaming one breaks whoever reads it.
 */
export * from "./attaching.ts";
export * from "./binding.ts";
export * from "./capacity.ts";
export * from "./provisioning.ts";
export * from "./resizing.ts";
export * from "./snapshots.ts";
