import type { KubernetesObject, ResourceType } from "@stowage/machinery";
import type { WatchOptions } from "./client-options.ts";
import { acceptOf } from "./metadata-accept.ts";
import type { Requester } from "./requester.ts";
import { queryString, resourcePath } from "./resource-path.ts";
import { isJson, notAnApi, readText } from "./response-body.ts";
import type { WatchEvent } from "./watch-event.ts";
import { readWatch } from "./watch-stream.ts";

/** Opens one watch and reads it to its end. */
export async function watchObjects<T extends KubernetesObject>(
  requester: Requester,
  type: ResourceType<T>,
  options: WatchOptions<T>,
  onEvent: (event: WatchEvent<T>) => void,
): Promise<void> {
  const { namespace, signal, onOpen, keep, ...query } = options;
  const path = resourcePath(type, { namespace });
  const request = { method: "GET", url: requester.server + path };
  const response = await requester.open({
    method: "GET",
    path: path + queryString({ watch: true, ...query }),
    accept: acceptOf(type),
    signal,
  });
  if (!isJson(response)) throw notAnApi(response, await readText(response.body, request, signal), request);
  onOpen?.();
  try {
    await readWatch<T>(response.body, { request, keep, onEvent });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}
