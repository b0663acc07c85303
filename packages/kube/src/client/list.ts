import { apiVersionOf, type KubernetesObject, type ResourceType } from "@stowage/machinery";
import type { ListAllOptions, ListOptions } from "./client-options.ts";
import type { ObjectList } from "./kube-client.ts";
import { acceptOfList } from "./metadata-accept.ts";
import { isExpired } from "./predicates.ts";
import type { Requester } from "./requester.ts";
import { queryString, resourcePath } from "./resource-path.ts";

const DEFAULT_PAGE_SIZE = 500;

interface RawList<T> {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: T[] | null;
}

export async function listObjects<T extends KubernetesObject>(
  requester: Requester,
  type: ResourceType<T>,
  options: ListOptions,
): Promise<ObjectList<T>> {
  const { namespace, signal, timeoutMs, retry, ...query } = options;
  const list = await requester.json<RawList<T>>({
    method: "GET",
    path: resourcePath(type, { namespace }) + queryString({ ...query }),
    accept: acceptOfList(type),
    signal,
    timeoutMs,
    retry,
  });
  const apiVersion = apiVersionOf(type);
  return {
    // Items of a list come without their type; everything downstream is simpler when they have it.
    items: (list.items ?? []).map((item) => ({ ...item, apiVersion, kind: type.kind })),
    resourceVersion: list.metadata?.resourceVersion ?? "",
    continue: list.metadata?.continue || undefined,
    remainingItemCount: list.metadata?.remainingItemCount,
  };
}

export async function* listPages<T extends KubernetesObject>(
  requester: Requester,
  type: ResourceType<T>,
  options: ListOptions,
): AsyncGenerator<ObjectList<T>> {
  const first = { limit: DEFAULT_PAGE_SIZE, ...options };
  let page = await listObjects<T>(requester, type, first);
  yield page;
  // A continued list keeps the version of its first page and refuses one of the caller's.
  const next = { ...first, resourceVersion: undefined, resourceVersionMatch: undefined };
  while (page.continue !== undefined) {
    page = await listObjects<T>(requester, type, { ...next, continue: page.continue });
    yield page;
  }
}

export async function listAll<T extends KubernetesObject>(
  requester: Requester,
  type: ResourceType<T>,
  { keep = (item) => item, ...options }: ListAllOptions<T>,
): Promise<ObjectList<T>> {
  const items: T[] = [];
  let resourceVersion = "";
  try {
    for await (const page of listPages(requester, type, options)) {
      for (const item of page.items) items.push(keep(item));
      resourceVersion = page.resourceVersion;
    }
    return { items, resourceVersion };
  } catch (error) {
    const isPagingTooSlow = isExpired(error) && items.length > 0;
    if (!isPagingTooSlow) throw error;
    const whole = await listObjects(requester, type, { ...options, limit: undefined, continue: undefined });
    return { ...whole, items: whole.items.map(keep) };
  }
}
