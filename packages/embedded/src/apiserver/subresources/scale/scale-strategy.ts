import { builtInKind } from "@stowage/machinery/apply";
import type { ServedResource } from "../../resources/index.ts";
import { type Strategies, type Strategy, specOf, withFields } from "../../strategies/index.ts";

const scale: Pick<ServedResource, "group" | "kind" | "version"> = {
  group: "autoscaling",
  version: "v1",
  kind: "Scale",
};

/** How a Scale is read, whatever it is the scale of. It is not kept: that, its parent's strategy decides. */
export function scaleStrategy(strategies: Strategies, parent: ServedResource): Strategy | undefined {
  const whole = strategies.find(asKept(parent));
  const managed = builtInKind("autoscaling/v1", scale.kind, "scale");
  if (whole === undefined || managed === undefined) return undefined;
  return {
    ...whole,
    managed,
    read(object) {
      const read = whole.read(object);
      // Zero is what is meant when nothing is said, and nobody owns it.
      const spec = specOf(read.object);
      return spec["replicas"] === 0
        ? { ...read, object: { ...read.object, spec: withFields(spec, { replicas: undefined }) } }
        : read;
    },
  };
}

const kept = new WeakMap<ServedResource, ServedResource>();

/** As if it were a resource of its own, which strategies are made for once. */
function asKept(parent: ServedResource): ServedResource {
  const { definition: _, ...rest } = parent;
  const resource = kept.get(parent) ?? { ...rest, ...scale, subresources: [] };
  kept.set(parent, resource);
  return resource;
}
