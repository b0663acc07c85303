/** What the API server asks nodes for. `local-agents.ts`: nodes in the same process. */
export { LocalAgents } from "./local-agents.ts";
