import { badRequest } from "../../answers/index.ts";
import type { ApiRequest } from "../../verbs/index.ts";
import { unexpected } from "../../verbs/writes/write-errors.ts";
import { flag } from "../../verbs/writes/write-options.ts";
import type { WriteTarget } from "../../verbs/writes/write-target.ts";
import type { AgentContainer, ExecOptions, NodeAgents } from "../node-agents.ts";
import { parentTarget } from "../parent-target.ts";
import { agentContainer, agentPod, checkPlaced } from "../pods/agent-container.ts";
import type { SubresourceDeps } from "../subresource-deps.ts";
import { agreedExec, agreedForward } from "./agreements.ts";
import type { Conversation, UpgradeSocket } from "./upgrade.ts";

/** What is done with a connection. */
export interface ConnectPlan {
  /** Throws what the client gets instead. */
  agree(upgrade: UpgradeSocket): Conversation;
}

/** All that can be said before anything is connected. Throws what the client gets instead. */
export function connectPlan(deps: SubresourceDeps, request: ApiRequest): ConnectPlan {
  const target = parentTarget(deps, request);
  const { subresource } = request.info;
  // Browsers connect with GET; it is still more than reading.
  deps.checkMayCreate?.(request);
  if (subresource === "portforward") return forwardPlan(target, deps, request.query);
  const container = agentContainer(target, request.query.get("container") ?? "");
  checkPlaced(target, container);
  const agents = agentsOf(deps, container);
  const options = execOptions(request.query, subresource === "exec");
  return { agree: (upgrade) => agreedExec(upgrade, { agents, container, options }) };
}

function forwardPlan(target: WriteTarget, deps: SubresourceDeps, query: URLSearchParams): ConnectPlan {
  const pod = agentPod(target);
  const agents = agentsOf(deps, pod);
  return { agree: (upgrade) => agreedForward(upgrade, { agents, pod }, query.getAll("ports")) };
}

function agentsOf({ agents }: SubresourceDeps, { node }: AgentContainer): NodeAgents {
  if (agents === undefined) throw unexpected(`no agent answers on node ${JSON.stringify(node)}`);
  return agents;
}

function execOptions(query: URLSearchParams, isExec: boolean): ExecOptions {
  const isTerminal = flag(query, "tty") ?? false;
  const options = {
    command: isExec ? query.getAll("command") : [],
    hasStdin: flag(query, "stdin") ?? false,
    hasStdout: flag(query, "stdout") ?? false,
    hasStderr: (flag(query, "stderr") ?? false) && !isTerminal,
    isTerminal,
  };
  if (isExec && options.command.length === 0) throw badRequest("you must specify at least 1 command");
  if (options.hasStdin || options.hasStdout || options.hasStderr) return options;
  throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
}
