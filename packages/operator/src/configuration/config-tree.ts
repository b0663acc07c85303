import { isSameContent } from "../apply/index.ts";

export type ConfigTree = Readonly<Record<string, unknown>>;
export type ConfigPath = readonly string[];

export function valueAt(tree: unknown, path: ConfigPath): unknown {
  return path.reduce((value, name) => (isTree(value) ? value[name] : undefined), tree);
}

/** Nothing is put where the value is undefined, not even what would hold it. */
export function treeOf(entries: readonly (readonly [ConfigPath, unknown])[]): ConfigTree {
  return entries.reduce<ConfigTree>((tree, [path, value]) => (value === undefined ? tree : put(tree, path, value)), {});
}

function put(tree: ConfigTree, [name = "", ...rest]: ConfigPath, value: unknown): ConfigTree {
  if (rest.length === 0) return { ...tree, [name]: value };
  const inner = tree[name];
  return { ...tree, [name]: put(isTree(inner) ? inner : {}, rest, value) };
}

/**
 * The merge patch that takes away what is there and not wanted; undefined when there is nothing of the kind. Server-side apply
 * takes away only what the same manager put there, and another operator may have written the tree before.
 */
export function clearingPatch(existing: unknown, wanted: unknown): unknown {
  if (wanted === undefined) return existing === undefined || existing === null ? undefined : null;
  if (!isTree(existing) || !isTree(wanted)) return undefined;
  const entries = Object.keys(existing)
    .map((name) => [name, clearingPatch(existing[name], wanted[name])] as const)
    .filter(([, patch]) => patch !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** `targetconfig.proxy.HTTP_PROXY: "http://a" -> "http://b"`, one for each value that differs. */
export function differences(before: unknown, after: unknown, path: ConfigPath = []): string[] {
  if (isSameContent(before, after)) return [];
  if (isTree(before ?? {}) && isTree(after ?? {})) {
    const [left, right] = [(before ?? {}) as ConfigTree, (after ?? {}) as ConfigTree];
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].toSorted();
    return names.flatMap((name) => differences(left[name], right[name], [...path, name]));
  }
  return [`${path.join(".")}: ${shown(before)} -> ${shown(after)}`];
}

/** The address of a proxy may hold a password, and events are read by many. */
function shown(value: unknown): string {
  return value === undefined ? "(none)" : JSON.stringify(value).replaceAll(/\/\/[^/"@]*@/g, "//***@");
}

function isTree(value: unknown): value is ConfigTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
