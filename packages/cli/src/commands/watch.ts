import { createInformerFactory, createRestMapper, type Informer, objectKey } from "@stowage/kube";
import { type KubernetesObject, metadataOnly, parseFieldSelector, parseLabelSelector } from "@stowage/machinery";
import { type CommandContext, defineCommand } from "../command.ts";
import { connectToCluster } from "../compose.ts";
import { exitCodes } from "../exit-codes.ts";
import { clusterOptions, logOptions, outputOptions } from "../options/common-options.ts";

type Change = "added" | "updated" | "deleted";

export const watchCommand = defineCommand({
  name: "watch",
  summary: "follow the objects of a resource and print every change",
  details:
    "Follows the server through broken connections and restarts until it is stopped, with the same informers that Stowage's " +
    "controllers use: what it prints is what they see.",
  positional: [
    { name: "resource", help: "plural, singular or short name, with .group if need be: pvc, deployments.apps" },
  ],
  options: {
    namespace: { type: "string", short: "n", placeholder: "NAME", help: "one namespace; all of them when left out" },
    selector: { type: "string", short: "l", placeholder: "SELECTOR", help: "label selector" },
    fieldSelector: { type: "string", placeholder: "SELECTOR", help: "field selector" },
    metadataOnly: { type: "boolean", help: "fetch metadata alone" },
    initialOnly: { type: "boolean", help: "stop when the initial list is complete" },
    syncTimeoutSeconds: { type: "int", default: 60, minimum: 1, help: "how long to wait for the initial list" },
    ...clusterOptions,
    ...outputOptions,
    ...logOptions,
  },
  async run(context, options, [resource = ""]) {
    const labelSelector = options.selector && parseLabelSelector(options.selector).toString();
    const fieldSelector = options.fieldSelector && parseFieldSelector(options.fieldSelector).toString();
    using cluster = await connectToCluster(context, options);
    const mapper = createRestMapper({ client: cluster.client, logger: context.logger });
    const type = await mapper.resourceNamed(resource);
    const factory = createInformerFactory({ client: cluster.client, logger: context.logger });
    const selection = { namespace: options.namespace, labelSelector, fieldSelector };
    const informer = factory.informer(options.metadataOnly ? metadataOnly(type) : type, selection);
    printChanges(informer, context, options.output);
    return await follow(informer, context, options);
  },
});

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
