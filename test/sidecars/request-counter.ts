import type { KubeClient } from "@stowage/kube";
import type { ResourceType } from "@stowage/machinery";

const REQUESTS = ["get", "find", "list", "listAll", "create", "update", "patch", "apply", "delete"] as const;

/**
 * A client that notes each request that is made through it: `patch persistentvolumes`, `patch volumeattachments/status`; of a watch
 * its end too: `watch pods`, `end pods`.
 */
export function countingClient(client: KubeClient, requests: string[]): KubeClient {
  const counted = Object.fromEntries(
    REQUESTS.map((verb) => [
      verb,
      (type: ResourceType, ...rest: unknown[]) => {
        const options = rest.at(-1) as { subresource?: string } | undefined;
        requests.push(`${verb} ${type.plural}${options?.subresource ? `/${options.subresource}` : ""}`);
        return (client[verb] as (...all: unknown[]) => unknown)(type, ...rest);
      },
    ]),
  );
  const watch: KubeClient["watch"] = (type, options, onEvent) => {
    requests.push(`watch ${type.plural}`);
    return client.watch(type, options, onEvent).finally(() => requests.push(`end ${type.plural}`));
  };
  return { ...client, ...counted, watch };
}
