import type { CustomResourceDefinition } from "../../api/index.ts";
import { column, definition, emptyObject, free, list, nullable, object, string } from "../../crds/index.ts";
import { clusterOperators } from "../resources.ts";
import { operatorConditions } from "./operator-schema.ts";

const operandVersion = object(
  "One version.",
  { name: string("Whose: operator for the operator itself."), version: string("The version.") },
  { required: ["name", "version"] },
);

const relatedObject = object(
  "One object, or all of a resource.",
  {
    group: string("The group; empty for core."),
    name: string("The name; empty for all."),
    namespace: string("The namespace, if any."),
    resource: string("The resource, such as deployments."),
  },
  { required: ["group", "name", "resource"] },
);

/** Where a condition of a type is in an object. */
export const conditionPath = (type: string, field: string) => `.status.conditions[?(@.type=="${type}")].${field}`;

export const clusterOperatorDefinition: CustomResourceDefinition = definition({
  type: clusterOperators,
  shortNames: ["co"],
  description: "How one part of the platform is.",
  columns: [
    column("Version", "string", '.status.versions[?(@.name=="operator")].version', "The version of the operator."),
    column("Available", "string", conditionPath("Available", "status"), "Whether it does its work."),
    column("Progressing", "string", conditionPath("Progressing", "status"), "Whether a change is being rolled out."),
    column("Degraded", "string", conditionPath("Degraded", "status"), "Whether something is wrong."),
    column("Since", "date", conditionPath("Available", "lastTransitionTime"), "Since when it is available, or not."),
  ],
  fields: {
    spec: emptyObject("Nothing, and must be there."),
    status: object("How things are.", {
      conditions: operatorConditions,
      extension: nullable(free("Whatever else the operator has to say.")),
      relatedObjects: list("What to look at when something is wrong.", relatedObject),
      versions: list("Of the operator and its operands.", operandVersion),
    }),
  },
  required: ["spec"],
});
