/**
 * What the API server asks nodes for. `local-agents.ts`: nodes in the same process; `agent-server.ts`: the same for an API server in
 * another one. A real API server asks as it asks kubelets: `streaming/` is what it wants connections for.
 */
export { AgentServer, type AgentServerOptions } from "./agent-server.ts";
export { LocalAgents } from "./local-agents.ts";
export { sendLog } from "./sent-log.ts";
export { type StreamingDeps, serveStreaming } from "./streaming/index.ts";
