/**
 * What hangs on resources and is done in a way of its own. `subresourceVerb` finds it for a request, `connectSubresource` for one
 * that wants a connection.
 *
 * - `scale/`: an object as its scale, and back
 * - `pods/`: `binding`, `eviction`, `log`
 * - `connect/`: `exec`, `attach` and `portforward` over WebSocket, with the channels of Kubernetes
 * - `node-proxy.ts`: what nodes say themselves
 * - `node-agents.ts`: what is asked of those that run Pods
 * - `remote/`: the same of those in other processes
 */
export {
  agreedWebSocket,
  connectSubresource,
  refuseUpgrade,
  type UpgradeSocket,
} from "./connect/connect-subresource.ts";
export { type Execution, execProtocols, runExec } from "./connect/exec-connection.ts";
export { execStatus } from "./connect/exec-status.ts";
export { type Forwarding, forwardPorts, forwardProtocols, runForward } from "./connect/forward-connection.ts";
export { ItemQueue } from "./connect/item-queue.ts";
export { terminalSize } from "./connect/terminal-size.ts";
export { WebSocketConnection } from "./connect/websocket.ts";
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
  questionAt,
  RemoteAgents,
} from "./remote/index.ts";
export type { SubresourceDeps } from "./subresource-deps.ts";
export { subresourceVerb } from "./subresource-verb.ts";
