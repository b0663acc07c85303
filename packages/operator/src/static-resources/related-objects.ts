import type { RestMapper } from "@stowage/kube";
import { hasErrorCode } from "@stowage/machinery";
import { targetOf } from "../apply/index.ts";
import type { StaticResource } from "./static-resource.ts";

/** As a ClusterOperator lists them, for `oc adm must-gather` to collect. */
export interface RelatedObject {
  readonly group: string;
  readonly resource: string;
  readonly namespace?: string;
  readonly name: string;
}

/** Without what is collected with its namespace anyway (the category `all`), and without kinds that the cluster does not have. */
export async function relatedObjectsOf(
  mapper: Pick<RestMapper, "resourceFor">,
  resources: readonly StaticResource[],
): Promise<RelatedObject[]> {
  const related: RelatedObject[] = [];
  for (const { object } of resources) {
    try {
      const { type, ref } = await targetOf({ mapper }, object);
      if (ref.namespace !== undefined && type.categories.includes("all")) continue;
      related.push({ group: type.group, resource: type.plural, ...ref });
    } catch (error) {
      if (!hasErrorCode(error, "KIND_NOT_SERVED")) throw error;
    }
  }
  return related;
}
