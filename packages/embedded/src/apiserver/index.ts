/**
 * The API server. In the order in which a request meets them: `requests/` tells what it asks for, `access/` who asks and whether they
 * may, `resources/` whether there is such, `verbs/` does it by the `strategies/` of its kind, and `store/` keeps it (objects as JSON text
 * by key, with one revision for all of them, in memory and, where a file is given, on disk before anybody is told). `answers/` has what
 * is said when it is not done. See docs/design/011 for what is to come.
 */
export * from "./access/index.ts";
export * from "./answers/index.ts";
export * from "./requests/index.ts";
export * from "./resources/index.ts";
export * from "./server/index.ts";
export * from "./store/index.ts";
export { Strategies } from "./strategies/index.ts";
export type {
  AgentContainer,
  AgentPage,
  Conversation,
  ExecOptions,
  LogOptions,
  NodeAgents,
  PortStream,
  ProcessStreams,
  TerminalSize,
  UpgradeSocket,
} from "./subresources/index.ts";
export {
  agentPaths,
  agreedExec,
  agreedForward,
  ChannelSocket,
  channelProtocol,
  converse,
  execChannels,
  forwardChannels,
  ItemQueue,
  questionAt,
  RemoteAgents,
} from "./subresources/index.ts";
export * from "./verbs/index.ts";
