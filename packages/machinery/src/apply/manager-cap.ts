import { compareText } from "../go-text/index.ts";
import { type Manager, type Managers, managerId, secondsOf } from "./managed-fields.ts";

const maxUpdateManagers = 10;
const bucketName = "ancient-changes";

/**
 * Folds the oldest updaters into one of each version when there are too many. Appliers are never folded: they must be able to
 * remove what they no longer apply.
 */
export function cappedManagers(managers: Managers): Managers {
  const updaters = [...managers].filter(([, { operation }]) => operation === "Update");
  let count = updaters.length;
  if (count <= maxUpdateManagers) return managers;
  const capped = new Map(managers);
  const firstOf = new Map<string, string>();
  for (const [id, manager] of updaters.toSorted(oldestFirst)) {
    if (count <= maxUpdateManagers) break;
    const first = firstOf.get(manager.apiVersion);
    if (first === undefined) firstOf.set(manager.apiVersion, id);
    else {
      fold(capped, id, first);
      count--;
    }
  }
  return capped;
}

function oldestFirst([a, left]: [string, Manager], [b, right]: [string, Manager]): number {
  return secondsOf(left) - secondsOf(right) || compareText(a, b);
}

/** Into the bucket of its version, which the first of the version becomes if there is none yet. */
function fold(managers: Map<string, Manager>, id: string, first: string): void {
  const manager = managers.get(id);
  if (manager === undefined) return;
  const identity = {
    manager: bucketName,
    operation: "Update",
    apiVersion: manager.apiVersion,
    subresource: "",
  } as const;
  const bucketId = managerId(identity);
  const base = managers.get(bucketId) ?? managers.get(first);
  if (!managers.has(bucketId)) managers.delete(first);
  managers.delete(id);
  const set = base === undefined ? manager.set : manager.set.union(base.set);
  managers.set(bucketId, { ...identity, set, time: manager.time });
}
