import type { CustomResourceDefinition } from "@stowage/machinery";
import { builtInResources } from "./generated/built-in-resources.ts";
import type { ServedResource, ServedSubresource } from "./served-resource.ts";

export interface ResourceRef {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
}

const allVerbs = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const partVerbs = ["get", "patch", "update"];

/** Which resources there are: the built-in ones, and those of definitions that are established. */
export class ResourceRegistry {
  readonly #resources = new Map<string, ServedResource>();
  /** By the name of the definition. */
  readonly #custom = new Map<string, readonly ServedResource[]>();

  constructor(builtIns: readonly ServedResource[] = builtInResources) {
    for (const resource of builtIns) this.#resources.set(keyOf(resource), resource);
  }

  find(ref: ResourceRef): ServedResource | undefined {
    return this.#resources.get(keyOf(ref));
  }

  /** In the order in which they came. */
  list(): readonly ServedResource[] {
    return [...this.#resources.values()];
  }

  hasGroup(group: string): boolean {
    return this.list().some((resource) => resource.group === group);
  }

  /** From now on, in place of what the definition said before. */
  define(definition: CustomResourceDefinition): void {
    const name = definition.metadata.name ?? "";
    this.undefine(name);
    const served = resourcesOf(definition);
    this.#custom.set(name, served);
    for (const resource of served) this.#resources.set(keyOf(resource), resource);
  }

  undefine(definitionName: string): void {
    for (const resource of this.#custom.get(definitionName) ?? []) this.#resources.delete(keyOf(resource));
    this.#custom.delete(definitionName);
  }
}

function keyOf({ group, version, plural }: ResourceRef): string {
  return `${group}/${version}/${plural}`;
}

/** What a definition has served, in all of its versions. The names are those that were accepted. */
function resourcesOf(definition: CustomResourceDefinition): ServedResource[] {
  const { spec, status } = definition;
  const { plural, singular = "", kind, shortNames = [], categories = [] } = status?.acceptedNames ?? spec.names;
  const namespaced = spec.scope === "Namespaced";
  return spec.versions
    .filter(({ served }) => served)
    .map(({ name: version, subresources }) => {
      const parts: ServedSubresource[] = [];
      if (subresources?.status !== undefined) parts.push({ name: "status", kind, namespaced, verbs: partVerbs });
      if (subresources?.scale !== undefined) {
        const scale = { kind: "Scale", kindGroup: "autoscaling", kindVersion: "v1" };
        parts.push({ name: "scale", ...scale, namespaced, verbs: partVerbs });
      }
      const named = { group: spec.group, version, plural, singular, kind, namespaced };
      return { ...named, verbs: allVerbs, shortNames, categories, subresources: parts, definition };
    });
}
