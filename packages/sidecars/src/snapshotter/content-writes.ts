import type { ContentDeps } from "./content-kind.ts";
import type { AnyContent } from "./content-step.ts";

/**
 * The intent, written before the driver is asked for a snapshot: from here on the content stays until the driver has answered,
 * whatever becomes of this process. Refused when the content is not as it was judged by.
 */
export async function writeIntent<T extends AnyContent>(deps: ContentDeps<T>, content: T): Promise<T> {
  const { names } = deps.kind;
  const { resourceVersion, finalizers = [] } = content.metadata;
  if (hasIntent(deps, content)) return content;
  return await patch(deps, content, {
    metadata: {
      resourceVersion,
      annotations: { [names.beingCreated]: "yes" },
      ...(!finalizers.includes(names.finalizer) && { finalizers: [...finalizers, names.finalizer] }),
    },
  });
}

export function hasIntent<T extends AnyContent>({ kind }: Pick<ContentDeps<T>, "kind">, { metadata }: T): boolean {
  return metadata.annotations?.[kind.names.beingCreated] !== undefined;
}

/** The driver has answered. */
export async function dropIntent<T extends AnyContent>(deps: ContentDeps<T>, content: T): Promise<T> {
  const { beingCreated } = deps.kind.names;
  if (!hasIntent(deps, content)) return content;
  return await patch(deps, content, {
    metadata: { uid: content.metadata.uid, annotations: { [beingCreated]: null } },
  });
}

export async function writeStatus<T extends AnyContent>(
  deps: ContentDeps<T>,
  content: T,
  status: object | undefined,
): Promise<T> {
  if (status === undefined) return content;
  return await patch(deps, content, { metadata: { uid: content.metadata.uid }, status }, "status");
}

/** Lets the content go. */
export async function release<T extends AnyContent>(deps: ContentDeps<T>, content: T): Promise<void> {
  const { resourceVersion, finalizers = [] } = content.metadata;
  const { finalizer } = deps.kind.names;
  if (!finalizers.includes(finalizer)) return;
  await patch(deps, content, {
    metadata: { resourceVersion, finalizers: finalizers.filter((name) => name !== finalizer) },
  });
}

async function patch<T extends AnyContent>(
  { client, kind, contents }: ContentDeps<T>,
  content: T,
  change: object,
  subresource?: string,
): Promise<T> {
  const ref = { name: content.metadata.name ?? "" };
  return contents.wrote(await client.patch(kind.type, ref, { type: "merge", patch: change }, { subresource }));
}
