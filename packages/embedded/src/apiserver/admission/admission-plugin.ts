import type { JsonObject } from "@stowage/machinery/apply";
import type { ApiError } from "../answers/index.ts";
import { metadataOf, textOf } from "../strategies/index.ts";
import type { AdmittedWrite } from "../verbs/index.ts";
import { refused } from "../verbs/writes/write-errors.ts";
import type { ClusterObjects } from "./cluster-objects.ts";

/** A write, and what those who have a say in it look at. */
export interface Admission extends AdmittedWrite {
  readonly subresource: string;
  /** Empty at the cluster's scope. */
  readonly namespace: string;
  readonly cluster: ClusterObjects;
}

/** An admission of what brings an object: a create or an update. */
export interface ObjectAdmission extends Admission {
  readonly object: JsonObject;
}

/** Named as the real server names it. Each decides by itself which writes it is about. */
export interface AdmissionPlugin {
  readonly name: string;
  /** What is to be written instead, before it is checked. Throws to refuse it. */
  readonly mutate?: (admission: ObjectAdmission) => JsonObject;
  /** Throws to refuse what has been completed and checked. */
  readonly validate?: (admission: ObjectAdmission) => void;
  readonly validateDelete?: (admission: Admission) => void;
}

/** Whether it is about the resource itself, and not about a part of it. */
export function isAbout({ resource, subresource }: Admission, plural: string, group = ""): boolean {
  return subresource === "" && resource.plural === plural && resource.group === group;
}

export function isCreateOf(admission: Admission, plural: string, group = ""): boolean {
  return admission.operation === "create" && isAbout(admission, plural, group);
}

/** 403. An object that has no name yet is called by its prefix. */
export function refusal({ resource, request, object, old }: Admission, why: string): ApiError {
  const { name, generateName } = metadataOf(object ?? old ?? {});
  const known = [request.info.name ?? "", textOf(name), textOf(generateName)].find((each) => each !== "");
  return refused({ resource, name: known ?? "Unknown", why });
}
