import { isSameContent } from "../content.ts";
import type { KindRule } from "../kind-rule.ts";
import { fieldsOf, itemsOf, type LooseObject } from "../loose-object.ts";

const apiGroup = "rbac.authorization.k8s.io";

/** The rules of a ClusterRole that is made of others are filled in by the cluster. */
export const roleRule: KindRule = {
  compare(existing, required) {
    const { rules, aggregationRule } = required;
    const isAggregated = aggregationRule !== undefined;
    const areRulesSame = isAggregated || isSameContent(existing["rules"], rules);
    if (areRulesSame && isSameContent(existing["aggregationRule"], aggregationRule)) return undefined;
    return { fields: isAggregated ? { aggregationRule } : { rules: rules ?? [], aggregationRule: undefined } };
  },
};

/** The role of a binding cannot be changed. */
export const bindingRule: KindRule = {
  prepare: (required) => ({
    ...required,
    roleRef: { ...fieldsOf(required, "roleRef"), apiGroup },
    subjects: subjectsOf(required),
  }),
  compare(existing, required) {
    const { roleRef, subjects } = required;
    if (!isSameContent(existing["roleRef"], roleRef)) return { recreate: required };
    return isSameContent(subjectsOf(existing), subjects) ? undefined : { fields: { subjects } };
  },
};

/** With the group that the server puts in where none is given. */
function subjectsOf(binding: LooseObject): Record<string, unknown>[] {
  return itemsOf(binding, "subjects").map(({ apiGroup: group, ...subject }) =>
    subject["kind"] === "ServiceAccount" ? subject : { ...subject, apiGroup: group || apiGroup },
  );
}
