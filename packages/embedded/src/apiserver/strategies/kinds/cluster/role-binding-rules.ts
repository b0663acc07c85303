import { dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { type FieldError, invalid, notSupported, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, sameJson, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { pathSegmentProblems } from "../../metadata-update.ts";
import { withDefaults } from "../field-defaults.ts";
import { shownPart } from "./cluster-types.ts";

const rbacGroup = "rbac.authorization.k8s.io";

export const roleBindingRules = bindingRules(["Role", "ClusterRole"], true);
export const clusterRoleBindingRules = bindingRules(["ClusterRole"], false);

/** A role that is bound stays the one that was bound. */
function bindingRules(roleKinds: readonly string[], isNamespaced: boolean): KindRules {
  const errors = (object: JsonObject) => [
    ...roleErrors(fieldsOf(object["roleRef"]), roleKinds),
    ...listOf(object["subjects"]).flatMap((subject, index) =>
      subjectErrors(fieldsOf(subject), isNamespaced, `subjects[${index}]`),
    ),
  ];
  return {
    defaults: bindingDefaults,
    checks: {
      create: (object, metadata) => [...metadata, ...errors(object)],
      update: (object, old, { own, changes }) => [
        ...own,
        ...errors(object),
        ...changes,
        ...(sameJson(object["roleRef"], old["roleRef"])
          ? []
          : [invalid("roleRef", shownPart("RoleRef", fieldsOf(object["roleRef"])), "cannot change roleRef")]),
      ],
    },
  };
}

function bindingDefaults(object: JsonObject): JsonObject {
  const { subjects } = object;
  const { apiGroup, ...role } = fieldsOf(object["roleRef"]);
  return {
    ...object,
    roleRef: { apiGroup: textOf(apiGroup) === "" ? rbacGroup : textOf(apiGroup), ...role },
    ...(subjects !== undefined && { subjects: listOf(subjects).map(subjectDefaults) }),
  };
}

function subjectDefaults(subject: JsonValue): JsonObject {
  const fields = fieldsOf(subject);
  const isOfGroup = fields["kind"] === "User" || fields["kind"] === "Group";
  return isOfGroup ? withDefaults(fields, { apiGroup: rbacGroup }) : fields;
}

function roleErrors(role: JsonObject, kinds: readonly string[]): FieldError[] {
  const [group, kind, name] = [textOf(role["apiGroup"]), textOf(role["kind"]), textOf(role["name"])];
  return [
    ...(group === rbacGroup ? [] : [notSupported("roleRef.apiGroup", group, [rbacGroup])]),
    ...(kinds.includes(kind) ? [] : [notSupported("roleRef.kind", kind, kinds)]),
    ...(name === "" ? [required("roleRef.name")] : []),
    ...pathSegmentProblems(name, false).map((problem) => invalid("roleRef.name", name, problem)),
  ];
}

function subjectErrors(subject: JsonObject, isNamespaced: boolean, path: string): FieldError[] {
  const [group, kind, name] = [textOf(subject["apiGroup"]), textOf(subject["kind"]), textOf(subject["name"])];
  const unnamed = name === "" ? [required(`${path}.name`)] : [];
  if (kind === "ServiceAccount") {
    const isHomeless = !isNamespaced && textOf(subject["namespace"]) === "";
    const problems = name === "" ? [] : dns1123SubdomainErrors(name);
    return [
      ...unnamed,
      ...problems.map((problem) => invalid(`${path}.name`, name, problem)),
      ...(group === "" ? [] : [notSupported(`${path}.apiGroup`, group, [""])]),
      ...(isHomeless ? [required(`${path}.namespace`)] : []),
    ];
  }
  if (kind !== "User" && kind !== "Group") {
    return [...unnamed, notSupported(`${path}.kind`, kind, ["ServiceAccount", "User", "Group"])];
  }
  return group === rbacGroup ? unnamed : [...unnamed, notSupported(`${path}.apiGroup`, group, [rbacGroup])];
}
