/**
 * The node agent: `node-agent.ts` puts it together. `host-view/`: the node's own part of the machine. `runtime/`: a container as a process. `registration/`: the drivers of a node, and what they say of it. `pods/`: what a
 * Pod's containers are given. `volumes/`: what Pods mount. `serving/`: what the API
 * server asks for. See docs/design/020 for what is to come.
 */
export * from "./host-view/index.ts";
export { type NodeAgentDeps, runNodeAgent } from "./node-agent.ts";
export * from "./pods/index.ts";
export * from "./registration/index.ts";
export * from "./runtime/index.ts";
export * from "./serving/index.ts";
export * from "./volumes/index.ts";
