import {
  type AgentContainer,
  agreedExec,
  agreedForward,
  type Conversation,
  converse,
  type NodeAgents,
  notFound,
  type UpgradeSocket,
} from "../../../apiserver/index.ts";
import { type StreamingQuestion, streamingQuestion } from "./streaming-question.ts";

export interface StreamingDeps {
  readonly nodeName: string;
  /** What answers. */
  readonly agents: Pick<NodeAgents, "exec" | "forward">;
  /** Of a Pod; undefined when there is none. */
  uidOf(namespace: string, pod: string): Promise<string | undefined>;
}

/**
 * Answers the connections that a real API server asks kubelets for: commands, attaching, ports. By SPDY, which is what it speaks with every
 * node, or by WebSocket where a client wants that and it is passed on. Whoever asks has been let in already. Settles when the connection is
 * over, and never rejects: whatever is wrong, the other side is told.
 */
export async function serveStreaming(deps: StreamingDeps, url: URL, upgrade: UpgradeSocket): Promise<void> {
  await converse(upgrade.socket, () => agreed(deps, streamingQuestion(url), upgrade));
}

async function agreed(deps: StreamingDeps, question: StreamingQuestion, upgrade: UpgradeSocket): Promise<Conversation> {
  const { agents } = deps;
  const asked = await askedContainer(deps, question);
  return question.kind === "exec"
    ? agreedExec(upgrade, { agents, container: asked, options: question.options })
    : agreedForward(upgrade, { agents, pod: asked }, question.ports);
}

async function askedContainer(deps: StreamingDeps, question: StreamingQuestion): Promise<AgentContainer> {
  const { namespace, pod } = question;
  const uid = await deps.uidOf(namespace, pod);
  if (uid === undefined || (question.uid ?? uid) !== uid) throw notFound({ group: "", plural: "pods" }, pod);
  const container = question.kind === "exec" ? question.container : "";
  return { namespace, pod, uid, container, node: deps.nodeName };
}
