import { createInformerFactory, createRestMapper, type Informer, objectKey } from "@stowage/kube";
import { type KubernetesObject, metadataOnly, parseFieldSelector, parseLabelSelector } from "@stowage/machinery";
import type { CommandContext } from "../command.ts";
import { connectToLook } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";

export interface WatchRequest {
  readonly resource: string;
  readonly namespace?: string;
  readonly selector?: string;
  readonly fieldSelector?: string;
  readonly metadataOnly: boolean;
  readonly initialOnly: boolean;
  readonly syncTimeoutSeconds: number;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly output: "text" | "json";
}

type Change = "added" | "updated" | "deleted";

/** Follows a resource and prints its changes, until stopped. Returns the exit code. */
export async function runWatch(context: CommandContext, request: WatchRequest): Promise<number> {
  const labelSelector = request.selector && parseLabelSelector(request.selector).toString();
  const fieldSelector = request.fieldSelector && parseFieldSelector(request.fieldSelector).toString();
  using cluster = await connectToLook(context, request);
  const mapper = createRestMapper({ client: cluster.client, logger: context.logger });
  const type = await mapper.resourceNamed(request.resource);
  const factory = createInformerFactory({ client: cluster.client, logger: context.logger });
  const selection = { namespace: request.namespace, labelSelector, fieldSelector };
  const informer = factory.informer(request.metadataOnly ? metadataOnly(type) : type, selection);
  printChanges(informer, context, request.output);
  return await follow(informer, context, request);
}

function printChanges(
  informer: Informer<KubernetesObject>,
  { terminal }: CommandContext,
  output: "text" | "json",
): void {
  const print = (change: Change, object: KubernetesObject) => {
    if (output === "json") return terminal.out(`${JSON.stringify({ change, object })}\n`);
    terminal.out(`${change.padEnd(8)} ${objectKey(object)} ${object.metadata.resourceVersion}\n`);
  };
  informer.addHandler({
    onAdd: (object) => print("added", object),
    onUpdate: (object) => print("updated", object),
    onDelete: (object) => print("deleted", object),
  });
}

async function follow(
  informer: Informer<KubernetesObject>,
  { signal, terminal }: CommandContext,
  options: { readonly initialOnly: boolean; readonly syncTimeoutSeconds: number },
): Promise<number> {
  const stop = new AbortController();
  const onStop = () => stop.abort(signal.reason);
  if (signal.aborted) onStop();
  signal.addEventListener("abort", onStop, { once: true });
  const running = informer.run(stop.signal);
  try {
    await informer.waitForSync({ timeoutMs: options.syncTimeoutSeconds * 1000, signal: stop.signal });
    if (options.initialOnly) stop.abort();
    else terminal.err(`in sync: ${informer.objects.size} ${informer.type.plural}; following (Ctrl-C stops)\n`);
  } catch (error) {
    stop.abort();
    if (!signal.aborted) throw error;
  } finally {
    await running.catch(() => {});
    signal.removeEventListener("abort", onStop);
  }
  return exitCodes.success;
}
