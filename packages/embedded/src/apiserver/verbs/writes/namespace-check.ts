import type { JsonObject } from "@stowage/machinery/apply";
import { badRequest, notFound } from "../../answers/index.ts";
import type { Transaction } from "../../store/index.ts";
import { fieldsOf, metadataOf, textOf, withMetadata } from "../../strategies/index.ts";
import { objectKey } from "../object-key.ts";
import { refused } from "./write-errors.ts";
import type { WriteTarget } from "./write-target.ts";

const namespaces = { group: "", plural: "namespaces", namespaced: false };

/** Nothing is created in a namespace that is not there, or that is going. */
export function checkNamespace(
  transaction: Transaction,
  { resource, namespace }: WriteTarget,
  object: JsonObject,
): void {
  if (!resource.namespaced || isReview(resource)) return;
  const stored = transaction.get(objectKey(namespaces, { namespace: undefined, name: namespace }));
  if (stored === undefined) throw notFound(namespaces, namespace);
  const { status } = JSON.parse(stored.text) as JsonObject;
  if (fieldsOf(status)["phase"] !== "Terminating") return;
  const { name, generateName } = metadataOf(object);
  throw refused({
    resource,
    name: textOf(name) || textOf(generateName),
    why: `unable to create new content in namespace ${namespace} because it is being terminated`,
    causes: [
      {
        reason: "NamespaceTerminating",
        message: `namespace ${namespace} is being terminated`,
        field: "metadata.namespace",
      },
    ],
  });
}

function isReview({ group }: { readonly group: string }): boolean {
  return group === "authorization.k8s.io";
}

/** The namespace of the path, which an object need not repeat, and must not contradict. */
export function inNamespace(object: JsonObject, namespace: string): JsonObject {
  const sent = textOf(metadataOf(object)["namespace"]);
  if (sent === namespace) return object;
  if (sent !== "" && namespace !== "") {
    throw badRequest("the namespace of the provided object does not match the namespace sent on the request");
  }
  return withMetadata(object, { namespace: namespace === "" ? undefined : namespace });
}
