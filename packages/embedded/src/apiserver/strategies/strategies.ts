import type { ServedResource } from "../resources/index.ts";
import { builtInStrategy } from "./built-in-strategy.ts";
import { customStrategy } from "./custom-strategy.ts";
import type { Strategy } from "./strategy.ts";

/** How each kind is written. Strategies are made when they are first asked for: most kinds are never written. */
export class Strategies {
  /** A resource whose definition changes is another one, and what was made for the old one goes with it. */
  readonly #made = new WeakMap<ServedResource, Map<string, Strategy | undefined>>();

  /** Undefined for what is not kept, and for subresources that are written in a way of their own. */
  find(resource: ServedResource, subresource = ""): Strategy | undefined {
    const made = this.#made.get(resource) ?? new Map<string, Strategy | undefined>();
    this.#made.set(resource, made);
    if (!made.has(subresource)) made.set(subresource, this.#make(resource, subresource));
    return made.get(subresource);
  }

  #make(resource: ServedResource, subresource: string): Strategy | undefined {
    const { definition } = resource;
    if (definition === undefined) return builtInStrategy(resource, subresource);
    const version = definition.spec.versions.find(({ name }) => name === resource.version);
    if (version === undefined || (subresource !== "" && subresource !== "status")) return undefined;
    return customStrategy(definition, version, subresource);
  }
}
