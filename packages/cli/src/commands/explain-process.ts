import { systemClock } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { connectToLook } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { containerLogs } from "../explain/container-logs.ts";
import { explain } from "../explain/explain.ts";
import { explanationText } from "../explain/explanation-text.ts";
import { Facts } from "../explain/facts.ts";
import { redactedExplanation } from "../explain/redaction.ts";
import { subjectKindNamed, subjectKinds } from "../explain/subject-kinds.ts";
import { paintFor } from "../explain/text-layout.ts";
import { KnownSecrets } from "../must-gather/known-secrets.ts";

export interface ExplainRequest {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: "text" | "json";
  /** Somebody looks at what goes to standard output. */
  readonly isTerminal: boolean;
}

/** Explains one object. Returns the exit code. */
export async function runExplain(context: CommandContext, request: ExplainRequest): Promise<number> {
  const { terminal, env, signal } = context;
  const kind = subjectKindNamed(request.kind);
  if (kind === undefined) {
    terminal.err(`stowage explain: "${request.kind}" is none of ${subjectKinds.join(", ")}\n`);
    return exitCodes.usage;
  }
  using cluster = await connectToLook(context, request);
  const known = new KnownSecrets();
  const log = containerLogs({ transport: cluster.transport, signal });
  const facts = new Facts({ client: cluster.client, clock: systemClock, known, log });
  const namespace = request.namespace ?? cluster.client.defaultNamespace;
  const explanation = redactedExplanation(await explain({ kind, namespace, name: request.name }, facts), known);
  const text = () => explanationText(explanation, paintFor(request.isTerminal, env));
  terminal.out(request.output === "json" ? `${JSON.stringify(explanation, undefined, 2)}\n` : text());
  return explanation.verdict === "unknown" ? exitCodes.incomplete : exitCodes.success;
}
