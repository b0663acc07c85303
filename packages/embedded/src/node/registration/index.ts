/**
 * What the node is and whom it has. `plugin-registry.ts`: drivers that register by a socket in a watched folder; `driver-facts.ts`: what
 * they say of the node, as it is written into Node and CSINode by `node-facts-writer.ts`.
 * `node-keeper.ts` registers the Node itself and keeps it and its lease alive: `node-object.ts` is what it says, `machine-facts.ts` of what
 * machine.
 */
export type { NodeFacts } from "./driver-facts.ts";
export { type MachineFacts, readMachineFacts } from "./machine-facts.ts";
export { NodeFactsWriter } from "./node-facts-writer.ts";
export { NodeKeeper, type NodeKeeperDeps } from "./node-keeper.ts";
export type { AgentFacts } from "./node-object.ts";
export { PluginRegistry, type PluginRegistryDeps, type RegisteredDriver } from "./plugin-registry.ts";
