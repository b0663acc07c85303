/**
 * Nodes in other processes, asked as the real API server asks kubelets: over TLS that both sides show certificates for, at the address and
 * port that the Node tells. `agent-paths.ts`: what is asked for, by path; `channel-socket.ts`: several streams on one connection;
 * `remote-agents.ts`: this side of it.
 */
export { agentPaths, questionAt } from "./agent-paths.ts";
export { agentPlace } from "./agent-place.ts";
export { ChannelSocket, channelProtocol, execChannels, forwardChannels } from "./channel-socket.ts";
export { RemoteAgents } from "./remote-agents.ts";
