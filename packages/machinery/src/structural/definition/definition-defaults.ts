import type { CustomResourceDefinition, CustomResourceDefinitionSpec } from "../../api/index.ts";

/** The spec with everything set that the API server sets where nothing was said. */
export function defaultDefinitionSpec(spec: CustomResourceDefinitionSpec): CustomResourceDefinitionSpec {
  const { names } = spec;
  return {
    ...spec,
    names: {
      ...names,
      singular: names.singular || names.kind.toLowerCase(),
      listKind: names.listKind || (names.kind === "" ? "" : `${names.kind}List`),
    },
    conversion: spec.conversion ?? { strategy: "None" },
  };
}

/** A definition as it is stored when it is created: nothing is accepted yet, and one version is stored. */
export function newDefinition(definition: CustomResourceDefinition): CustomResourceDefinition {
  const spec = defaultDefinitionSpec(definition.spec);
  return {
    ...definition,
    spec,
    status: {
      acceptedNames: { plural: "", kind: "" },
      conditions: [],
      storedVersions: storedNow(spec),
    },
  };
}

/** The versions of which objects may be in the store: once stored, a version stays there until somebody takes it out. */
export function storedVersions(definition: CustomResourceDefinition): string[] {
  const known = definition.status?.storedVersions ?? [];
  return [...new Set([...known, ...storedNow(definition.spec)])];
}

/** Of several, which are one too many, the first counts. */
function storedNow({ versions }: CustomResourceDefinitionSpec): string[] {
  return versions
    .filter(({ storage }) => storage)
    .slice(0, 1)
    .map(({ name }) => name);
}
