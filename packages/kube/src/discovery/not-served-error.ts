import { apiVersionOf, StowageError } from "@stowage/machinery";
import type { ServerResources } from "./discovered-resource.ts";
import { type KindReference, type ResourceReference, versionsWith } from "./resource-lookup.ts";

/** Why a kind or resource was not found, told as exactly as what the server said allows. */
export function notServedError(
  server: ServerResources,
  wanted: KindReference | ResourceReference,
  serverUrl: string,
): StowageError {
  const unavailable = unavailableError(server, wanted, serverUrl);
  if (unavailable !== undefined) return unavailable;
  const others = versionsWith(server, wanted).join(", ");
  if (others !== "") {
    const message = `${serverUrl} has ${nameOf(wanted)} of ${groupName(wanted)} only as ${others}, not as ${wanted.version}`;
    return new StowageError("KIND_NOT_SERVED", message, { nextStep: `Use a version that the server has: ${others}.` });
  }
  const hasGroup = server.groups.some(({ name, versions }) => name === wanted.group && versions.length > 0);
  const what = `${nameOf(wanted)} in ${groupName(wanted)}`;
  const why = hasGroup ? "" : ": it does not have that group at all";
  return new StowageError("KIND_NOT_SERVED", `${serverUrl} has no ${what}${why}`, { nextStep: nextStepFor(wanted) });
}

export function nameNotServedError(server: ServerResources, name: string, serverUrl: string): StowageError {
  const unasked = server.failures.map(apiVersionOf).join(", ");
  const caveat = unasked === "" ? "" : `, as far as it can tell while ${unasked} does not answer`;
  return new StowageError("KIND_NOT_SERVED", `${serverUrl} has no resource that "${name}" stands for${caveat}`, {
    nextStep: "Look for its name in `kubectl api-resources`. If a CRD defines it, is that CRD installed?",
  });
}

/** Set when the kind may well exist: its group is listed, and whatever serves it did not answer. */
export function unavailableError(
  server: ServerResources,
  { group, version, ...wanted }: KindReference | ResourceReference,
  serverUrl: string,
): StowageError | undefined {
  const failure = server.failures.find(
    (failed) => failed.group === group && (version === undefined || failed.version === version),
  );
  if (failure === undefined) return undefined;
  const apiVersion = apiVersionOf(failure);
  return new StowageError(
    "API_GROUP_UNAVAILABLE",
    `${serverUrl} cannot tell whether it has ${nameOf({ group, ...wanted })}: ${apiVersion} does not answer`,
    {
      cause: failure.error,
      nextStep: `\`kubectl describe apiservice ${failure.version}.${group}\` tells why it is not available.`,
    },
  );
}

function nameOf(wanted: Omit<KindReference, "version"> | Omit<ResourceReference, "version">): string {
  return "kind" in wanted ? `kind ${wanted.kind}` : `resource ${wanted.plural}`;
}

function groupName({ group }: KindReference | ResourceReference): string {
  return group === "" ? "the core group" : `group ${group}`;
}

function nextStepFor({ group }: KindReference | ResourceReference): string {
  // Nobody can add to the core group; the name must be wrong.
  if (group === "") return "Check the spelling, and the group: `kubectl api-resources` lists what there is.";
  return `Is the CRD installed that defines it? \`kubectl api-resources --api-group=${group}\` lists what there is.`;
}
