import type { KubernetesObject } from "@stowage/machinery";
import type { ServedResource } from "../resources/index.ts";
import { type ApiAnswer, asServed, type FormOf, type ObjectForm } from "../verbs/index.ts";

/** What a write or a subresource has answered, which is as it is served, in the form that the client wants. */
export function inForm(answer: ApiAnswer, formOf: FormOf, resource: ServedResource): ApiAnswer {
  const { body, contentType } = answer;
  if (formOf === asServed || typeof body !== "string" || body === "" || contentType !== undefined) return answer;
  // Whatever the form: what is said of an object, and not the object, stays as it is.
  if (body.startsWith('{"kind":"Status"')) return answer;
  const object = JSON.parse(body) as KubernetesObject | ObjectList;
  const form = formOf(answered(resource, object));
  return { ...answer, body: "items" in object ? formedList(form, resource, object) : form.object(body) };
}

/** Of what was deleted. */
interface ObjectList {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly object[];
}

function formedList(form: ObjectForm, { kind }: ServedResource, { apiVersion, metadata, items }: ObjectList): string {
  const head = { ...metadata, continueToken: "", remainingItemCount: undefined };
  return form.list(
    head,
    items.map((item) => form.item(JSON.stringify({ kind, apiVersion, ...item }))),
  );
}

/** A subresource may be of a kind of its own. */
function answered(
  resource: ServedResource,
  { kind, apiVersion }: { kind: string; apiVersion: string },
): ServedResource {
  const isForeign = kind === "Scale" && apiVersion === "autoscaling/v1" && resource.kind !== kind;
  return isForeign ? { ...resource, group: "autoscaling", version: "v1", kind } : resource;
}
