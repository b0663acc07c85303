import type { ServedResource } from "../../resources/index.ts";
import { eventAs, isEvent } from "../event-forms.ts";
import { valueText, withoutMembers, withValue } from "./json-text.ts";

/** What a list says of itself. */
export interface ListHead {
  readonly resourceVersion: string;
  /** Empty at the end of the list. */
  readonly continueToken: string;
  readonly remainingItemCount: number | undefined;
}

/** How stored objects look to the client; which one is chosen by what it accepts. All of it is text from text. */
export interface ObjectForm {
  /** Different for forms of the same resource that differ, so that watchers with the same one can share. */
  readonly id: string;
  /** By itself, or in an event. */
  object(text: string): string;
  /** In a list. */
  item(text: string): string;
  list(head: ListHead, items: readonly string[]): string;
  /** Of the first event of a watch, where that one says more than the others: the line as it is sent then. */
  first?(line: string): string;
}

export type FormOf = (resource: ServedResource) => ObjectForm;

export function apiVersionOf({ group, version }: ServedResource): string {
  return group === "" ? version : `${group}/${version}`;
}

/** Objects as they are. */
export const asServed: FormOf = (resource) =>
  resource.definition === undefined ? builtIn(resource) : custom(resource);

/** `as=PartialObjectMetadata;g=meta.k8s.io;v=v1`, and the list of it. */
export const asMetadata: FormOf = () => metadataForm("v1");

export function metadataForm(version: string): ObjectForm {
  const apiVersion = `meta.k8s.io/${version}`;
  const head = `{"kind":"PartialObjectMetadata","apiVersion":"${apiVersion}","metadata":`;
  const object = (text: string) => `${head}${metadataText(text)}}`;
  const list = { kind: "PartialObjectMetadataList", apiVersion };
  return { id: `metadata ${version}`, object, item: object, list: (...of) => listText(list, ...of) };
}

/** Once a field of the spec: the real server has it there again whenever it looks at one, and not among the annotations. */
const templateGeneration = "deprecated.daemonset.template.generation";

function metadataText(text: string): string {
  const metadata = valueText(text, "metadata") ?? "{}";
  if (!text.startsWith('{"kind":"DaemonSet"') || !metadata.includes(templateGeneration)) return metadata;
  const { annotations, ...rest } = JSON.parse(metadata) as { annotations?: Record<string, string> };
  const { [templateGeneration]: _, ...kept } = annotations ?? {};
  return JSON.stringify({ ...rest, ...(Object.keys(kept).length > 0 && { annotations: kept }) });
}

function builtIn(resource: ServedResource): ObjectForm {
  const { kind } = resource;
  const apiVersion = apiVersionOf(resource);
  const usualHead = `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},`;
  const object = (text: string) =>
    isEvent(resource) && !text.startsWith(usualHead) ? eventText(text, apiVersion) : text;
  // The list has told the kind already; the real server does not repeat it.
  const withoutKind = (text: string) =>
    text.startsWith(usualHead) ? `{${text.slice(usualHead.length)}` : withoutMembers(text, ["kind", "apiVersion"]);
  return {
    id: apiVersion,
    object,
    item: (text) => withoutKind(object(text)),
    list: (...of) => listText({ kind: `${kind}List`, apiVersion }, ...of),
  };
}

function eventText(text: string, apiVersion: string): string {
  return JSON.stringify(eventAs(JSON.parse(text) as Readonly<Record<string, unknown>>, apiVersion));
}

/** The kind is in every item, the keys are in the order of the alphabet, and `continue` is there even when it is empty. */
function custom(resource: ServedResource): ObjectForm {
  const apiVersion = JSON.stringify(apiVersionOf(resource));
  const names = resource.definition?.status?.acceptedNames ?? resource.definition?.spec.names;
  const listKind = JSON.stringify(names?.listKind || `${resource.kind}List`);
  // Where there is one version only, all that is stored has it.
  const hasVersions = (resource.definition?.spec.versions.length ?? 0) > 1;
  const object = (text: string) => (hasVersions ? withValue(text, ["apiVersion"], apiVersion) : text);
  return {
    id: apiVersion,
    object,
    item: object,
    list({ continueToken, remainingItemCount, resourceVersion }, items) {
      const metadata = JSON.stringify({ continue: continueToken, remainingItemCount, resourceVersion });
      return `{"apiVersion":${apiVersion},"items":[${items.join(",")}],"kind":${listKind},"metadata":${metadata}}`;
    },
  };
}

interface ListType {
  readonly kind: string;
  readonly apiVersion: string;
}

function listText({ kind, apiVersion }: ListType, head: ListHead, items: readonly string[]): string {
  const { resourceVersion, continueToken, remainingItemCount } = head;
  const metadata = { resourceVersion, ...(continueToken !== "" && { continue: continueToken }), remainingItemCount };
  return `${JSON.stringify({ kind, apiVersion, metadata }).slice(0, -1)},"items":[${items.join(",")}]}`;
}
