import type { AgentContainer, ExecOptions, LogOptions } from "../node-agents.ts";

/** What each path of a node's server takes, as JSON in its query. What is no path of these is a page. */
export const agentPaths = { log: "/log", exec: "/exec", forward: "/forward", page: "/page/" } as const;

export interface AgentQuestions {
  readonly log: { readonly container: AgentContainer; readonly options: LogOptions };
  readonly exec: { readonly container: AgentContainer; readonly options: ExecOptions };
  readonly forward: { readonly container: AgentContainer; readonly port: number };
}

const parameter = "asked";

export function questionPath<Kind extends keyof AgentQuestions>(kind: Kind, question: AgentQuestions[Kind]): string {
  return `${agentPaths[kind]}?${parameter}=${encodeURIComponent(JSON.stringify(question))}`;
}

/** What was asked at such a path. Whoever asks is trusted: only the API server is let in. */
export function questionAt<Kind extends keyof AgentQuestions>(_kind: Kind, url: URL): AgentQuestions[Kind] {
  return JSON.parse(url.searchParams.get(parameter) ?? "") as AgentQuestions[Kind];
}
