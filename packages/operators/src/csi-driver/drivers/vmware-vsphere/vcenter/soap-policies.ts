import { StowageError } from "@stowage/machinery";
import { elementsIn, elementText, escapeXml } from "../../../../cloud-config/index.ts";
import { type ObjectReference, referenceIn, type SoapClient } from "./soap.ts";
import type { TagPolicy, VCenterPolicies } from "./vcenter.ts";

const serviceInstance: ObjectReference = { type: "PbmServiceInstance", id: "ServiceInstance" };
/** Policies for what is stored, as opposed to what storage can do. */
const category = "REQUIREMENT";
const resourceType = "<resourceType>STORAGE</resourceType>";

/** Storage policies, by the web service that vCenter has for them. */
export function soapPolicies(client: SoapClient, server: string): VCenterPolicies {
  const manager = async (signal: AbortSignal): Promise<ObjectReference> => {
    const content = await client.call("PbmRetrieveServiceContent", serviceInstance, "", signal);
    const found = referenceIn(content, "profileManager");
    if (found !== undefined) return found;
    throw new StowageError("CLOUD_REFUSED", `vCenter ${server} does not say who keeps its storage policies`);
  };
  return {
    async names(signal) {
      const profiles = await manager(signal);
      const wanted = `<resourceType>${resourceType}</resourceType><profileCategory>${category}</profileCategory>`;
      const ids = elementsIn(await client.call("PbmQueryProfile", profiles, wanted, signal), "uniqueId");
      if (ids.length === 0) return [];
      const asked = ids.map((id) => `<profileIds><uniqueId>${id}</uniqueId></profileIds>`).join("");
      const content = await client.call("PbmRetrieveContent", profiles, asked, signal);
      // The first name of each is its own; what it asks for has names too.
      return elementsIn(content, "returnval").map((profile) => elementText(profile, "name") ?? "");
    },
    async create(policy, signal) {
      await client.call("PbmCreate", await manager(signal), creation(policy), signal);
    },
  };
}

function creation({ name, category: tagCategory, tag }: TagPolicy): string {
  const property = `com.vmware.storage.tag.${tagCategory}.property`;
  const values = `<values xsi:type="xsd:string">${escapeXml(tag)}</values>`;
  const instance = `<id>${escapeXml(property)}</id><value xsi:type="PbmCapabilityDiscreteSet">${values}</value>`;
  const id = `<namespace>http://www.vmware.com/storage/tag</namespace><id>${escapeXml(tagCategory)}</id>`;
  const constraint = `<constraint><propertyInstance>${instance}</propertyInstance></constraint>`;
  const rules = `<name>Tag based placement</name><capability><id>${id}</id>${constraint}</capability>`;
  return [
    "<createSpec>",
    `<name>${escapeXml(name)}</name><category>${category}</category><resourceType>${resourceType}</resourceType>`,
    `<constraints xsi:type="PbmCapabilitySubProfileConstraints"><subProfiles>${rules}</subProfiles></constraints>`,
    "</createSpec>",
  ].join("");
}
