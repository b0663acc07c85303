/** A parameter of a request, as OpenAPI describes it. */
interface Parameter {
  name: string;
  in: string;
}

type PathItem = Record<string, unknown>;

/** Where a path has been described: the path, and each of the parameters of its operations. */
interface DescribedParameter {
  path: string;
  parameter: Parameter;
  isPatch: boolean;
}

/** What `packages/machinery/openapi/operations/parameters.json` has. */
interface OperationParameters {
  /** By name, those that mean the same wherever they come. */
  common: Record<string, Parameter>;
  /** Worded differently where a patch is sent. */
  patch: Record<string, Parameter>;
  /** By `plural/subresource`, of those that are asked for in ways of their own. */
  parts: Record<string, Parameter[]>;
}

const parts = /\/(pods|nodes|services)\/\{name\}\/(attach|exec|log|portforward|proxy)$/u;

/** The texts of the parameters that requests can have; what they are used in follows from the verbs of a resource. */
export function operationParameters(paths: Readonly<Record<string, PathItem>>): OperationParameters {
  const described = Object.entries(paths).flatMap(([path, item]) => describedParameters(path, item));
  const found: OperationParameters = { common: {}, patch: {}, parts: {} };
  for (const { path, parameter, isPatch } of described) {
    const [, plural, part] = parts.exec(path) ?? [];
    const { name } = parameter;
    if (plural !== undefined) {
      const own = (found.parts[`${plural}/${part}`] ??= []);
      if (parameter.in === "query" && name !== "pretty" && !own.some((each) => each.name === name)) own.push(parameter);
    } else if (path.endsWith("/proxy/{path}")) {
      if (parameter.in === "path" && name === "path") found.common["path"] = parameter;
    } else if (isPatch && name === "fieldManager") found.patch[name] ??= parameter;
    // The name of an object is described by its kind.
    else if (name !== "name") found.common[name] ??= parameter;
  }
  return sorted(found);
}

function describedParameters(path: string, item: PathItem): DescribedParameter[] {
  return Object.entries(item).flatMap(([method, described]) => {
    const list = method === "parameters" ? described : (described as { parameters?: unknown }).parameters;
    return ((list ?? []) as Parameter[]).map((parameter) => ({ path, parameter, isPatch: method === "patch" }));
  });
}

function sorted({ common, patch, parts: byPart }: OperationParameters): OperationParameters {
  return { common: byName(common), patch: byName(patch), parts: byName(byPart) };
}

function byName<Value>(values: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
