import { isIP } from "node:net";
import { dns1123LabelErrors, dns1123SubdomainErrors } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { duplicate, type FieldError, forbidden, invalid, required, uncheckable } from "@stowage/machinery/structural";
import { fieldsOf, listOf, numberOf, specOf, textOf } from "../../../json-fields.ts";
import { addressErrors, familyOf } from "../../networking/ip-addresses.ts";
import { choiceErrors, itemErrors, itemsOf, partErrors, problemErrors, when } from "../checks/field-checks.ts";
import { idErrors, qualifiedErrors, subdomainNameErrors } from "../checks/value-checks.ts";
import { restartErrors } from "./restarted-containers.ts";

/** What is wrong with the status that a kubelet, or who plays one, reports; the metadata apart. */
export function podStatusErrors(pod: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [fieldsOf(pod["status"]), fieldsOf(old["status"])];
  const spec = specOf(pod);
  const { qosClass } = status;
  const isQuality = (qosClass ?? "") === (before["qosClass"] ?? "");
  return [
    ...conditionErrors(status["conditions"]),
    ...nominationErrors(status, before, specOf(old)),
    ...generationErrors(status["observedGeneration"], "status.observedGeneration"),
    ...when(!isQuality, invalid("status.qosClass", qosClass ?? "", "field is immutable")),
    ...restartErrors(pod, old),
    ...claimErrors(status, spec),
    ...extendedClaimErrors(status["extendedResourceClaimStatus"], spec),
    ...addressListErrors(status, before, "podIPs"),
    ...hostAddressErrors(status, before),
    ...statusLists.flatMap((list) => userErrors(status[list], `status.${list}`, spec)),
    ...allocatedErrors(status["containerStatuses"], "status.containerStatuses", spec["containers"]),
    ...allocatedErrors(status["initContainerStatuses"], "status.initContainerStatuses", spec["initContainers"]),
    ...itemErrors(status["ephemeralContainerStatuses"], "status.ephemeralContainerStatuses", (item, path) =>
      when(
        listOf(item["allocatedResourcesStatus"]).length > 0,
        forbidden(`${path}.allocatedResourcesStatus`, "must not be specified in container status"),
      ),
    ),
  ];
}

const statusLists = ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"] as const;
const known = ["PodScheduled", "Ready", "Initialized"];

function conditionErrors(value: JsonValue | undefined): FieldError[] {
  return itemErrors(value, "status.conditions", ({ type, observedGeneration }, path) => [
    ...generationErrors(observedGeneration, `${path}.observedGeneration`),
    ...(known.includes(textOf(type)) ? [] : qualifiedErrors(`${path}.Type`, type)),
  ]);
}

function generationErrors(value: JsonValue | undefined, path: string): FieldError[] {
  return when((numberOf(value) ?? 0) < 0, invalid(path, value, "must be a non-negative integer"));
}

function nominationErrors(status: JsonObject, before: JsonObject, spec: JsonObject): FieldError[] {
  const name = textOf(status["nominatedNodeName"]);
  if (name === "" || name === textOf(before["nominatedNodeName"])) return [];
  const path = "status.nominatedNodeName";
  const bound = "may not be set on pods that are already bound to a node";
  return [...subdomainNameErrors(path, name), ...when(textOf(spec["nodeName"]) !== "", forbidden(path, bound))];
}

function claimErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const names = itemsOf(spec["resourceClaims"]).map(({ name }) => textOf(name));
  const seen = new Set<string>();
  const detail = "must match the name of an entry in `spec.resourceClaims`";
  return itemErrors(status["resourceClaimStatuses"], "status.resourceClaimStatuses", (claim, path) => {
    const name = textOf(claim["name"]);
    const isRepeated = seen.has(name);
    seen.add(name);
    const { resourceClaimName } = claim;
    return [
      ...when(!names.includes(name), invalid(`${path}.name`, name, detail)),
      ...when(isRepeated, duplicate(`${path}.name`, name)),
      ...(resourceClaimName === undefined ? [] : subdomainNameErrors(`${path}.resourceClaimName`, resourceClaimName)),
    ];
  });
}

function extendedClaimErrors(value: JsonValue | undefined, spec: JsonObject): FieldError[] {
  const containers = [...itemsOf(spec["initContainers"]), ...itemsOf(spec["containers"])];
  return partErrors(value, "status.extendedResourceClaimStatus", (status, path) => {
    const at = `${path}.requestMappings`;
    const name = textOf(status["resourceClaimName"]);
    const none = listOf(status["requestMappings"]).length === 0;
    return [
      ...when(none, required(at, "at least one request mapping is required")),
      ...itemErrors(status["requestMappings"], at, (mapping, mappingPath) => [
        ...mappingErrors(mapping, mappingPath, containers),
        ...problemErrors(
          `${path}.requestName`,
          textOf(mapping["requestName"]),
          dns1123LabelErrors(textOf(mapping["requestName"])),
        ),
      ]),
      ...(name === ""
        ? [required(`${path}.resourceClaimName`)]
        : problemErrors(`${path}.resourceClaimName`, name, dns1123SubdomainErrors(name))),
    ];
  });
}

function mappingErrors(mapping: JsonObject, path: string, containers: readonly JsonObject[]): FieldError[] {
  const { containerName, resourceName } = mapping;
  const container = containers.findLast(({ name }) => name === containerName);
  const places = (field: string) => `spec.initContainers.${field} or spec.containers.${field}`;
  if (container === undefined) {
    const detail = `must match the name of an entry in ${places("name")}`;
    return [invalid(`${path}.containerName`, containerName ?? "", detail)];
  }
  const asks = fieldsOf(fieldsOf(container["resources"])["requests"])[textOf(resourceName)] !== undefined;
  const detail = `must match the extended resource name of an entry in ${places("resources.requests")}`;
  return when(!asks, invalid(`${path}.resourceName`, resourceName ?? "", detail));
}

type AddressList = "podIPs" | "hostIPs";

function addressListErrors(status: JsonObject, before: JsonObject, list: AddressList): FieldError[] {
  const path = `status.${list}`;
  const [addresses, kept] = [status, before].map((each) => itemsOf(each[list]).map(({ ip }) => textOf(ip)));
  const all = addresses ?? [];
  const isMixed = all.length < 2 || (all.length === 2 && new Set(all.map(familyOf)).size === 2);
  const shown = all.map((address) => new Map([["IP", address]]));
  return [
    ...all.flatMap((address, index) => addressErrors(address, `${path}[${index}]`, kept)),
    ...(all.length > 1 ? familyErrors(all, path) : []),
    ...when(!isMixed, invalid(path, shown, "may specify no more than one IP for each IP family")),
  ];
}

/** Which family an address is of can be told of addresses only. */
function familyErrors(addresses: readonly string[], path: string): FieldError[] {
  const index = addresses.findIndex((address) => isIP(address) === 0);
  const detail = `failed to check for dual stack with error:invalid IP[${index}]: ${addresses[index] ?? ""}`;
  return when(index >= 0, uncheckable(path, detail));
}

function hostAddressErrors(status: JsonObject, before: JsonObject): FieldError[] {
  const [first] = itemsOf(status["hostIPs"]).map(({ ip }) => textOf(ip));
  if (first === undefined) return [];
  const isFirst = first === textOf(status["hostIP"]);
  return [
    ...when(!isFirst, invalid("status.hostIPs[0].ip", first, "must be equal to `hostIP`")),
    ...addressListErrors(status, before, "hostIPs"),
  ];
}

function userErrors(value: JsonValue | undefined, path: string, spec: JsonObject): FieldError[] {
  const isWindows = fieldsOf(spec["os"])["name"] === "windows";
  return itemErrors(value, path, (item, at) =>
    partErrors(fieldsOf(item["user"])["linux"], `${at}.user.linux`, (user, userPath) =>
      isWindows
        ? [forbidden(userPath, "cannot be set for a windows pod")]
        : [
            ...idErrors(`${userPath}.uid`, user["uid"]),
            ...idErrors(`${userPath}.gid`, user["gid"]),
            ...listOf(user["supplementalGroups"]).flatMap((id, index) =>
              idErrors(`${userPath}.supplementalGroups[${index}]`, id),
            ),
          ],
    ),
  );
}

function allocatedErrors(value: JsonValue | undefined, path: string, containers: JsonValue | undefined): FieldError[] {
  return itemErrors(value, path, (status, at) => {
    const container = itemsOf(containers).find(({ name }) => name === status["name"]);
    return itemErrors(
      status["allocatedResourcesStatus"],
      `${at}.allocatedResourcesStatus`,
      (resource, resourcePath) => [
        ...(container === undefined ? [] : allocatedNameErrors(textOf(resource["name"]), resourcePath, container)),
        ...healthErrors(resource["resources"], `${resourcePath}.resources`),
      ],
    );
  });
}

function allocatedNameErrors(name: string, path: string, container: JsonObject): FieldError[] {
  const { claims, requests } = fieldsOf(container["resources"]);
  const claimed = itemsOf(claims).map(({ name: claim, request }) =>
    textOf(request) === "" ? `claim:${textOf(claim)}` : `claim:${textOf(claim)}/${textOf(request)}`,
  );
  const isClaim = name.startsWith("claim:");
  const isKnown = isClaim ? claimed.includes(name) : Object.hasOwn(fieldsOf(requests), name);
  const form = "a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  const detail = isClaim
    ? `must match one of the container's resource claims in ${form}`
    : "must match one of the container's resource requests";
  return when(!isKnown, invalid(`${path}.name`, name, detail));
}

function healthErrors(value: JsonValue | undefined, path: string): FieldError[] {
  const seen = new Set<string>();
  return itemErrors(value, path, ({ health, resourceID }, at) => {
    const isRepeated = seen.has(textOf(resourceID));
    seen.add(textOf(resourceID));
    return [
      ...choiceErrors(`${at}.health`, health, ["Healthy", "Unhealthy", "Unknown"]),
      ...when(isRepeated, duplicate(`${at}.resourceID`, resourceID ?? "")),
    ];
  });
}
