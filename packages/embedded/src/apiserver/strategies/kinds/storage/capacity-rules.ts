import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid } from "@stowage/machinery/structural";
import { fieldsOf, sameJson, textOf } from "../../json-fields.ts";
import type { KindRules } from "../../kind-rules.ts";
import { amountOf } from "../amounts.ts";
import { wireForm } from "../go-types/index.ts";
import { labelSelectorErrors, selectorValue } from "../label-selectors.ts";
import { subdomainErrors } from "./field-checks.ts";
import { goTypes } from "./go-volume-types.ts";
import { expressionWarnings, outdatedLabel } from "./node-selectors.ts";

export const capacityRules: KindRules = {
  defaults: (object) => wireForm(goTypes, "CSIStorageCapacity", object),
  checks: {
    create: (object, metadata) => [...metadata, ...capacityErrors(object, undefined)],
    update: (object, old, { own, changes }) => [
      ...own,
      ...capacityErrors(object, old),
      ...changes,
      ...changeErrors(object, old),
    ],
  },
  warnings: capacityWarnings,
};

function capacityErrors(object: JsonObject, old: JsonObject | undefined): FieldError[] {
  const { nodeTopology, storageClassName, capacity } = object;
  const allowsInvalidValues = labelSelectorErrors(old?.["nodeTopology"], "").length > 0;
  const isNegative = amountOf(capacity)?.isNegative() === true;
  return [
    ...labelSelectorErrors(nodeTopology, "nodeTopology", { allowsInvalidValues }),
    ...subdomainErrors(textOf(storageClassName), "storageClassName"),
    ...(isNegative ? [invalid("capacity", textOf(capacity), "must be greater than or equal to 0")] : []),
  ];
}

/** What the driver was asked with. */
function changeErrors(object: JsonObject, old: JsonObject): FieldError[] {
  const { nodeTopology, storageClassName } = object;
  return [
    ...(sameJson(nodeTopology, old["nodeTopology"])
      ? []
      : [invalid("nodeTopology", selectorValue(nodeTopology), "field is immutable")]),
    ...(storageClassName === old["storageClassName"]
      ? []
      : [invalid("storageClassName", storageClassName, "field is immutable")]),
  ];
}

function capacityWarnings(object: JsonObject): string[] {
  const { matchExpressions, matchLabels } = fieldsOf(object["nodeTopology"]);
  const ofLabels = Object.keys(fieldsOf(matchLabels)).flatMap((label) => {
    const why = outdatedLabel(label);
    return why === undefined ? [] : [`nodeTopology.matchLabels.${label}: ${why}`];
  });
  return [...expressionWarnings(matchExpressions, "nodeTopology"), ...ofLabels];
}
