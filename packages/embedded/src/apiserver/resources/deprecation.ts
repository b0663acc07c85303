import { compareVersions } from "./discovery.ts";
import type { ServedResource } from "./served-resource.ts";

/** Of built-in resources, by their plural; all are of the core group. */
const builtIn: Readonly<Record<string, string>> = {
  componentstatuses: "v1 ComponentStatus is deprecated in v1.19+",
  endpoints: "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice",
};

/** What whoever uses an outdated resource is told with every answer, also with a refusal. */
export function deprecationWarnings({ group, version, plural, definition }: ServedResource): readonly string[] {
  const known = group === "" && Object.hasOwn(builtIn, plural) ? builtIn[plural] : undefined;
  if (known !== undefined) return [known];
  const own = definition?.spec.versions.find(({ name }) => name === version);
  if (definition === undefined || !own?.deprecated) return [];
  return [own.deprecationWarning ?? defaultWarning(definition.spec, version)];
}

type Spec = NonNullable<ServedResource["definition"]>["spec"];

function defaultWarning({ group, names, versions }: Spec, version: string): string {
  const [better] = versions
    .filter(({ name, served, deprecated = false }) => served && !deprecated && compareVersions(name, version) < 0)
    .map(({ name }) => name)
    .toSorted(compareVersions);
  const advice = better === undefined ? "" : `; use ${group}/${better} ${names.kind}`;
  return `${group}/${version} ${names.kind} is deprecated${advice}`;
}
