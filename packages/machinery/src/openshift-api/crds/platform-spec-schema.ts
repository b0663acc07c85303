import {
  atomicList,
  emptyObject,
  free,
  int32,
  mapList,
  object,
  oneOf,
  rule,
  type Schema,
  setList,
  string,
} from "../../crds/index.ts";
import { regionAffinities, zoneAffinities } from "../platform-spec.ts";
import { machineNetworks, wantedAddresses } from "./address-schemas.ts";
import { awsServiceEndpoints, ibmServiceEndpoints, powerServiceEndpoints } from "./cloud-status-schemas.ts";
import { platformType } from "./platform-status-schema.ts";

const onPremise = {
  apiServerInternalIPs: wantedAddresses("Where nodes find the API server: an address of each family at most."),
  ingressIPs: wantedAddresses("Where the ingress is: an address of each family at most."),
  machineNetworks,
};

const onceThere = (field: string) =>
  rule(`!has(oldSelf.${field}) || has(self.${field})`, `${field} cannot be taken away`);

const keepAddresses = { rules: [onceThere("apiServerInternalIPs"), onceThere("ingressIPs")] };

const name = (description: string, maxLength: number): Schema => string(description, { minLength: 1, maxLength });
const path = (description: string, pattern: string): Schema => string(description, { maxLength: 2048, pattern });

const vcenter = object(
  "A vCenter.",
  {
    datacenters: setList("Its datacenters that the cluster uses.", { type: "string" }, { minItems: 1 }),
    port: int32("Its port. 443 when left out.", { minimum: 1, maximum: 32_767 }),
    server: string("Its address.", { maxLength: 255 }),
  },
  { required: ["datacenters", "server"] },
);

const topology = object(
  "Where in vCenter.",
  {
    computeCluster: path("The cluster of hosts.", "^/.*?/host/.*?"),
    datacenter: string("The datacenter.", { maxLength: 80 }),
    datastore: path("The datastore of the machines.", "^/.*?/datastore/.*?"),
    folder: path("The folder of the machines.", "^/.*?/vm/.*?"),
    networks: atomicList("The networks of the machines.", { type: "string" }, { minItems: 1, maxItems: 10 }),
    resourcePool: path("The resource pool of the machines.", "^/.*?/host/.*?/Resources.*"),
    template: { ...path("What machines are copied from.", "^/.*?/vm/.*?"), minLength: 1 },
  },
  { required: ["computeCluster", "datacenter", "datastore", "networks"] },
);

const hostGroup = object(
  "The group of hosts that is the zone.",
  {
    hostGroup: name("The group of hosts.", 80),
    vmGroup: name("The group of machines.", 80),
    vmHostRule: name("What ties the two together.", 80),
  },
  { required: ["hostGroup", "vmGroup", "vmHostRule"] },
);

/** A region is what has zones of that kind in it. */
function affinityRule(zone: string, region: string) {
  return rule(
    `!has(self.zoneAffinity) || self.zoneAffinity.type != '${zone}' || ` +
      `(has(self.regionAffinity) && self.regionAffinity.type == '${region}')`,
    `with zones that are a ${zone}, regions are a ${region}`,
  );
}

const failureDomain = object(
  "A region and a zone of it.",
  {
    name: name("What it is called.", 256),
    region: name("The tag of the region.", 80),
    regionAffinity: object(
      "What a region is.",
      { type: oneOf("A cluster of hosts or a datacenter.", regionAffinities) },
      { required: ["type"] },
    ),
    server: name("The vCenter that has it.", 255),
    topology,
    zone: name("The tag of the zone.", 80),
    zoneAffinity: object(
      "What a zone is.",
      { hostGroup, type: oneOf("A group of hosts or a cluster of them.", zoneAffinities) },
      {
        required: ["type"],
        rules: [rule("(self.type == 'HostGroup') == has(self.hostGroup)", "hostGroup goes with type HostGroup alone")],
      },
    ),
  },
  {
    required: ["name", "region", "server", "topology", "zone"],
    rules: [affinityRule("HostGroup", "ComputeCluster"), affinityRule("ComputeCluster", "Datacenter")],
  },
);

const vsphere = object(
  "Of vSphere.",
  {
    ...onPremise,
    failureDomains: mapList("Regions and zones, by name.", ["name"], failureDomain),
    nodeNetworking: free("How nodes find their addresses."),
    vcenters: atomicList("Where the cluster's machines are.", vcenter, {
      minItems: 1,
      maxItems: 3,
      "x-kubernetes-validations": [rule("self.all(x, self.exists_one(y, y.server == x.server))", "no vCenter twice")],
    }),
  },
  keepAddresses,
);

const external = object("Of a platform that the cluster knows by name alone.", {
  platformName: string("Whose platform it is.", {
    default: "Unknown",
    "x-kubernetes-validations": [rule("oldSelf == 'Unknown' || self == oldSelf", "platformName stays as it was set")],
  }),
});

export const platformSpecSchema = object("What was asked for at installation.", {
  alibabaCloud: emptyObject("Of Alibaba Cloud."),
  aws: object("Of AWS.", { serviceEndpoints: awsServiceEndpoints }),
  azure: emptyObject("Of Azure."),
  baremetal: object("Of bare metal.", onPremise, keepAddresses),
  equinixMetal: emptyObject("Of Equinix Metal."),
  external,
  gcp: emptyObject("Of Google Cloud."),
  ibmcloud: object("Of IBM Cloud.", { serviceEndpoints: ibmServiceEndpoints }),
  kubevirt: emptyObject("Of KubeVirt."),
  nutanix: free("Of Nutanix."),
  openstack: object("Of OpenStack.", onPremise, keepAddresses),
  ovirt: emptyObject("Of oVirt."),
  powervs: object("Of IBM Power Virtual Server.", { serviceEndpoints: powerServiceEndpoints }),
  type: platformType("Which of the others counts."),
  vsphere,
});
