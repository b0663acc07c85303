import { addressOverloads } from "./addresses.ts";
import { conversionOverloads } from "./conversions.ts";
import { listOverloads } from "./lists.ts";
import { formatOverloads } from "./name-formats.ts";
import { operatorOverloads } from "./operators.ts";
import { optionalOverloads } from "./optionals.ts";
import type { Overload } from "./overload.ts";
import { quantityOverloads } from "./quantities.ts";
import { semverOverloads } from "./semvers.ts";
import { stringOverloads } from "./strings.ts";
import { timeOverloads } from "./times.ts";
import { urlOverloads } from "./urls.ts";

let byName: ReadonlyMap<string, readonly Overload[]> | undefined;

/** All that a rule can call, by name; made when the first rule comes. */
export function libraryFunctions(): ReadonlyMap<string, readonly Overload[]> {
  byName ??= Map.groupBy(
    [
      ...operatorOverloads,
      ...conversionOverloads,
      ...stringOverloads,
      ...listOverloads,
      ...timeOverloads,
      ...optionalOverloads,
      ...urlOverloads,
      ...addressOverloads,
      ...quantityOverloads,
      ...semverOverloads,
      ...formatOverloads,
    ],
    ({ name }) => name,
  );
  return byName;
}
