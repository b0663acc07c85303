import { forbiddenBecause } from "../../answers/index.ts";
import { metadataOf, textOf } from "../../strategies/index.ts";
import type { AdmissionPlugin } from "../admission-plugin.ts";

const why = "create not allowed while custom resource definition is terminating";

/** A definition whose objects are being deleted gets no new ones. Named as what it is: the real server checks it elsewhere. */
export const terminatingDefinition: AdmissionPlugin = {
  name: "TerminatingDefinition",
  mutate({ operation, resource, object }) {
    const conditions = resource.definition?.status?.conditions ?? [];
    const isGoing = conditions.some(({ type, status }) => type === "Terminating" && status === "True");
    if (operation !== "create" || !isGoing) return object;
    throw forbiddenBecause(resource, textOf(metadataOf(object)["name"]), why);
  },
};
