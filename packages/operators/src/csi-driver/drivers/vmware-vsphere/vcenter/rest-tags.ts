import { StowageError } from "@stowage/machinery";
import type { RestClient, RestRequest } from "./rest.ts";
import type { Datastore, TagCategory, VCenterTags } from "./vcenter.ts";

const CATEGORY_PATH = "/com/vmware/cis/tagging/category";
const TAG_PATH = "/com/vmware/cis/tagging/tag";
const ASSOCIATION_PATH = "/com/vmware/cis/tagging/tag-association";
/** For whoever finds it in vCenter. */
const description = "Made for the storage of a cluster: do not remove";

/** vCenter's tags. Nothing can be looked for by its name: ids are listed, and looked at one by one. */
export function restTags(client: RestClient): VCenterTags {
  return {
    async category(name, signal) {
      const ids = await list(client, { what: "for its categories", path: CATEGORY_PATH }, signal);
      const found = await firstNamed(client, { ids, path: CATEGORY_PATH, name }, signal);
      return found === undefined
        ? undefined
        : { id: textIn(found, "id"), name, types: textsIn(found, "associable_types") };
    },
    async createCategory({ name, types }, signal) {
      const spec = { name, description, cardinality: "SINGLE", associable_types: types };
      return create(client, { what: "to make a category", path: CATEGORY_PATH, spec }, signal);
    },
    async updateCategory({ id, types }: TagCategory, signal) {
      const body = { update_spec: { associable_types: types } };
      const path = `${CATEGORY_PATH}/id:${id}`;
      await change(client, { what: "to change a category", path, method: "PATCH", body }, signal);
    },
    async tag(name, categoryId, signal) {
      const path = `${TAG_PATH}/id:${categoryId}?~action=list-tags-for-category`;
      const ids = await list(client, { what: "for the tags of a category", path, method: "POST" }, signal);
      const found = await firstNamed(client, { ids, path: TAG_PATH, name }, signal);
      return found === undefined ? undefined : textIn(found, "id");
    },
    async createTag(name, categoryId, signal) {
      const spec = { name, description, category_id: categoryId };
      return create(client, { what: "to make a tag", path: TAG_PATH, spec }, signal);
    },
    async tagsOf(datastore, signal) {
      const path = `${ASSOCIATION_PATH}?~action=list-attached-tags`;
      const body = associationOf(datastore);
      return list(client, { what: "for the tags of a datastore", path, method: "POST", body }, signal);
    },
    async attach(tagId, datastore, signal) {
      const path = `${ASSOCIATION_PATH}/id:${tagId}?~action=attach`;
      await change(client, { what: "to attach a tag", path, method: "POST", body: associationOf(datastore) }, signal);
    },
  };
}

function associationOf({ id }: Datastore) {
  return { object_id: { id, type: "Datastore" } };
}

/** What was there a moment ago has gone: whoever is asked again begins anew. */
async function change(client: RestClient, request: RestRequest, signal: AbortSignal): Promise<void> {
  if ((await client.find(request, signal)) !== undefined) return;
  throw new StowageError("CLOUD_REFUSED", `vCenter was asked ${request.what}, which it does not have any more`);
}

async function list(client: RestClient, request: RestRequest, signal: AbortSignal): Promise<string[]> {
  const answer = await client.find(request, signal);
  return Array.isArray(answer) ? answer.filter((each): each is string => typeof each === "string") : [];
}

interface Search {
  readonly ids: readonly string[];
  readonly path: string;
  readonly name: string;
}

async function firstNamed(client: RestClient, { ids, path, name }: Search, signal: AbortSignal): Promise<unknown> {
  for (const id of ids) {
    const found = await client.find({ what: "for what it has by an id", path: `${path}/id:${id}` }, signal);
    if (found !== undefined && textIn(found, "name") === name) return found;
  }
  return undefined;
}

interface Creation {
  readonly what: string;
  readonly path: string;
  readonly spec: object;
}

async function create(client: RestClient, { what, path, spec }: Creation, signal: AbortSignal): Promise<string> {
  const id = await client.find({ what, path, method: "POST", body: { create_spec: spec } }, signal);
  if (typeof id === "string") return id;
  throw new StowageError("CLOUD_REFUSED", `vCenter was asked ${what}, and does not say by which id`);
}

function textIn(value: unknown, name: string): string {
  const field = (value as Readonly<Record<string, unknown>> | null)?.[name];
  return typeof field === "string" ? field : "";
}

function textsIn(value: unknown, name: string): string[] {
  const field = (value as Readonly<Record<string, unknown>> | null)?.[name];
  return Array.isArray(field) ? field.filter((each): each is string => typeof each === "string") : [];
}
