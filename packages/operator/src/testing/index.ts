/** For tests of any package: a server that keeps objects in memory. */
export { MemoryClient, refusal } from "./memory-client.ts";
