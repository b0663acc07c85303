import type { KubeClient } from "@stowage/kube";
import { StowageError, systemClock } from "@stowage/machinery";
import type { CommandContext, Terminal } from "../command.ts";
import { connectToLook } from "../compose.ts";
import { describeFailure } from "../error-report.ts";
import { exitCodes } from "../exit-codes.ts";
import { Facts } from "../explain/facts.ts";
import { type Paint, paintFor } from "../explain/text-layout.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";
import { redactedStatus } from "../status/redaction.ts";
import { type StatusNode, worstState } from "../status/status-node.ts";
import { statusText } from "../status/status-text.ts";
import { statusTree } from "../status/status-tree.ts";

export interface StatusRequest {
  readonly watch: boolean;
  /** In milliseconds. */
  readonly interval: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: "text" | "json";
  /** Somebody looks at what goes to standard output. */
  readonly isTerminal: boolean;
}

const CLEAR_SCREEN = "\u001B[2J\u001B[H";

/** Shows the status, once or until stopped. Returns the exit code. */
export async function runStatus(context: CommandContext, request: StatusRequest): Promise<number> {
  using cluster = await connectToLook(context, request);
  const paint = paintFor(request.isTerminal, context.env);
  if (request.watch) return await follow(context, cluster.client, { ...request, paint });
  const tree = await look(cluster.client);
  context.terminal.out(shownAs(tree, { ...request, paint }));
  return worstState(tree) === "bad" ? exitCodes.incomplete : exitCodes.success;
}

type Showing = StatusRequest & { readonly paint: Paint };

/** A server that cannot be asked for a while is worth a word, not the end. */
async function follow({ terminal, signal }: CommandContext, client: KubeClient, showing: Showing): Promise<number> {
  const clear = showing.isTerminal && showing.output === "text" ? CLEAR_SCREEN : "";
  let shown = "";
  while (!signal.aborted) {
    const text = await lookAgain(client, terminal, showing);
    if (text !== undefined && text !== shown) terminal.out(clear + text);
    shown = text ?? shown;
    await systemClock.sleep(showing.interval, signal).catch(() => {});
  }
  return exitCodes.success;
}

async function lookAgain(client: KubeClient, terminal: Terminal, showing: Showing): Promise<string | undefined> {
  try {
    return shownAs(await look(client), showing);
  } catch (error) {
    if (!(error instanceof StowageError)) throw error;
    terminal.err(describeFailure(error));
    return undefined;
  }
}

async function look(client: KubeClient): Promise<StatusNode> {
  const facts = new Facts({ client, clock: systemClock, known: new KnownSecrets() });
  return redactedStatus(await statusTree(client.server, facts));
}

function shownAs(tree: StatusNode, { output, paint }: Showing): string {
  return output === "json" ? `${JSON.stringify(tree)}\n` : statusText(tree, paint);
}
