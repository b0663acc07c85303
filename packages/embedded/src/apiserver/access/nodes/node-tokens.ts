import type { BoundObjectReference } from "@stowage/machinery";
import { forbiddenBecause, notFound } from "../../answers/index.ts";
import type { Store } from "../../store/index.ts";
import { readCoreObject } from "../authentication/stored-object.ts";
import type { ReviewRequest } from "../reviews/review-request.ts";
import { nodeNameOf } from "./node-identity.ts";

/** A node asks for tokens on behalf of its Pods, and for nobody else: each is bound to one of them. */
export function checkNodeToken(store: Store, request: ReviewRequest, ref: BoundObjectReference | undefined): void {
  const node = nodeNameOf(request.user);
  if (node === undefined) return;
  const { namespace } = request;
  const refuse = (why: string) => forbiddenBecause({ group: "", plural: "serviceaccounts" }, request.name, why);
  const { apiVersion, kind, name = "", uid = "" } = ref ?? {};
  if (apiVersion !== "v1" || kind !== "Pod" || name === "") throw refuse("node requested token not bound to a pod");
  if (uid === "") throw refuse("node requested token with a pod binding without a uid");
  const pod = readCoreObject(store, { plural: "pods", namespace, name });
  if (pod === undefined) throw notFound({ group: "", plural: "pods" }, name);
  if (pod.metadata.uid !== uid) {
    const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
    throw refuse(`${why}. The object might have been deleted and then recreated`);
  }
  if (pod.spec?.nodeName !== node) throw refuse("node requested token bound to a pod scheduled on a different node");
}
