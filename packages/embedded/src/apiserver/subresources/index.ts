/**
 * What hangs on resources and is done in a way of its own. `subresourceVerb` finds it for a request, `connectSubresource` for one
 * that wants a connection.
 *
 * - `scale/`: an object as its scale, and back
 * - `pods/`: `binding`, `eviction`, `log`
 * - `connect/`: `exec`, `attach` and `portforward`, over WebSocket with the channels of Kubernetes and over SPDY with its streams. A node
 *   answers a real API server by the same
 * - `node-proxy.ts`: what nodes say themselves
 * - `node-agents.ts`: what is asked of those that run Pods
 * - `remote/`: the same of those in other processes
 */
export { agreedExec, agreedForward } from "./connect/agreements.ts";
export { connectSubresource } from "./connect/connect-subresource.ts";
export { ItemQueue } from "./connect/item-queue.ts";
export { type Conversation, converse, refuseUpgrade, type UpgradeSocket } from "./connect/upgrade.ts";
export type {
  AgentContainer,
  AgentPage,
  ExecOptions,
  LogOptions,
  NodeAgents,
  PortStream,
  ProcessStreams,
  TerminalSize,
} from "./node-agents.ts";
export {
  agentPaths,
  agentPlace,
  ChannelSocket,
  channelProtocol,
  execChannels,
  forwardChannels,
  questionAt,
  RemoteAgents,
} from "./remote/index.ts";
export type { SubresourceDeps } from "./subresource-deps.ts";
export { subresourceVerb } from "./subresource-verb.ts";
