import { dns1123LabelErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, invalid, required } from "@stowage/machinery/structural";
import { fieldsOf, listOf, sameJson, textOf, withFields } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { immutableField } from "../immutability.ts";
import { labelErrors } from "../label-selectors.ts";
import { resourceErrors } from "../pods/checks/containers/resource-errors.ts";
import { tolerationErrors } from "../pods/checks/placement/toleration-errors.ts";
import { outdatedLabel } from "../storage/node-selectors.ts";
import { shownPart } from "./cluster-types.ts";

export const runtimeClassRules: KindRules = {
  checks: {
    create: (object, metadata) => [...metadata, ...classErrors(object)],
    update: (object, old, { own, changes }) => [
      ...own,
      ...classErrors(object),
      ...changes,
      ...immutableField("handler", object["handler"], old["handler"]),
    ],
  },
  warnings: (object) => Object.keys(nodeSelectorOf(object)).flatMap(deprecation),
};

function nodeSelectorOf(object: JsonObject): JsonObject {
  return fieldsOf(fieldsOf(object["scheduling"])["nodeSelector"]);
}

function classErrors(object: JsonObject): FieldError[] {
  const handler = textOf(object["handler"]);
  const { podFixed } = fieldsOf(object["overhead"]);
  const problems = handler === "" ? [] : dns1123LabelErrors(handler);
  return [
    ...(handler === "" ? [required("handler")] : []),
    ...problems.map((problem) => invalid("handler", handler, problem)),
    ...resourceErrors({ limits: fieldsOf(podFixed) }, "overhead", { claimNames: new Set() }),
    ...labelErrors(nodeSelectorOf(object), "scheduling.nodeSelector"),
    ...tolerationListErrors(fieldsOf(object["scheduling"])["tolerations"]),
  ];
}

function tolerationListErrors(tolerations: JsonValue | undefined): FieldError[] {
  const path = "scheduling.tolerations";
  const timeless = listOf(tolerations).map((item) => withFields(fieldsOf(item), { tolerationSeconds: undefined }));
  return [
    ...tolerationErrors(tolerations, path),
    ...timeless.flatMap((item, index) =>
      timeless.findIndex((other) => sameJson(other, item)) < index
        ? [duplicate(`${path}[${index}]`, shownPart("Toleration", fieldsOf(listOf(tolerations)[index])))]
        : [],
    ),
  ];
}

function deprecation(label: string): string[] {
  const advice = outdatedLabel(label);
  return advice === undefined ? [] : [`scheduling.nodeSelector: ${advice}`];
}
