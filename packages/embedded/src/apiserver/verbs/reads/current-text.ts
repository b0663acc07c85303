import type { ServedResource } from "../../resources/index.ts";
import type { StoredObject } from "../../store/index.ts";
import type { Strategies } from "../../strategies/index.ts";
import { liveObject, objectText } from "../writes/stored-object.ts";

/**
 * What is kept, as it is served now: an object of a CRD whose schema changed after it was written is pruned and gets its defaults
 * when it is read. All others are sent as they were written.
 */
export function currentText(strategies: Strategies, resource: ServedResource, stored: StoredObject): string {
  const { generation = 1, resourceVersion } = resource.definition?.metadata ?? {};
  if (generation <= 1 || stored.revision > Number(resourceVersion)) return stored.text;
  const strategy = strategies.find(resource);
  return strategy === undefined ? stored.text : objectText(strategy, liveObject(strategy, stored));
}
