/**
 * CSI drivers, each on the SDK of `@stowage/csi`, which serves them.
 *
 * - `local/`: volumes on this machine's own disk
 * - `mock/`: stands in for any driver, in memory, and goes wrong on request
 */
export * from "./local/index.ts";
export * from "./mock/index.ts";
