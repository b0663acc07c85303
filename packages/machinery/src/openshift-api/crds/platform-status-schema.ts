import { atomicList, immutable, mapList, object, oneOf, rule, type Schema, setList, string } from "../../crds/index.ts";
import { cloudControllerManagerStates, loadBalancerTypes, platformTypes } from "../platform-status.ts";
import { currentAddresses, machineNetworks } from "./address-schemas.ts";
import {
  aws,
  azure,
  gcp,
  ibmServiceEndpoints,
  powerServiceEndpoints,
  setOnce,
  tag,
  text,
} from "./cloud-status-schemas.ts";

const addressed = {
  apiServerInternalIP: string("Where nodes find the API server."),
  ingressIP: string("Where the ingress is."),
};

const apiText = "Where nodes find the API server: an address of each family at most.";
const ingressText = "Where the ingress is: an address of each family at most.";

const loadBalancer: Schema = {
  ...object("Who balances the load.", {
    type: oneOf("OpenShiftManagedDefault: the cluster does. UserManaged: somebody else does.", loadBalancerTypes, {
      default: "OpenShiftManagedDefault",
      "x-kubernetes-validations": [setOnce("type")],
    }),
  }),
  default: { type: "OpenShiftManagedDefault" },
};

/** Nutanix and oVirt have sets where the others have lists. */
const balanced = (list: typeof atomicList) => ({
  ...addressed,
  apiServerInternalIPs: currentAddresses(apiText, list),
  ingressIPs: currentAddresses(ingressText, list),
  loadBalancer,
});

const nodeDNSIP = string("Where nodes find their DNS.");

const networked = { ...balanced(atomicList), nodeDNSIP, machineNetworks };

const ibmInstances = {
  cisInstanceCRN: string("The instance of Cloud Internet Services for public names."),
  dnsInstanceCRN: string("The instance of DNS Services for private names."),
};

const ibmcloud = object("Of IBM Cloud.", {
  ...ibmInstances,
  serviceEndpoints: ibmServiceEndpoints,
  location: string("Where the cluster is."),
  providerType: string("Classic, VPC or UPI."),
  resourceGroupName: string("The resource group of the cluster."),
});

const powervs = object(
  "Of IBM Power Virtual Server.",
  {
    ...ibmInstances,
    serviceEndpoints: powerServiceEndpoints,
    region: string("The region of the cluster."),
    resourceGroup: string("The resource group of the cluster.", {
      maxLength: 40,
      pattern: "^[a-zA-Z0-9-_ ]+$",
      "x-kubernetes-validations": [setOnce("resourceGroup")],
    }),
    zone: string("The zone of the cluster."),
  },
  { rules: [rule("!has(oldSelf.resourceGroup) || has(self.resourceGroup)", "resourceGroup stays as it was set")] },
);

const alibabaCloud = object(
  "Of Alibaba Cloud.",
  {
    region: string("The region of the cluster.", { pattern: "^[0-9A-Za-z-]+$" }),
    resourceGroupID: string("The resource group of the cluster.", { pattern: "^(rg-[0-9A-Za-z]+)?$" }),
    resourceTags: {
      ...mapList(
        "Put on all that is made in the cloud.",
        ["key"],
        tag("A tag.", text("Its key.", 128), text("Its value.", 128)),
      ),
      maxItems: 20,
    },
  },
  { required: ["region"] },
);

const external = object(
  "Of a platform that the cluster knows by name alone.",
  {
    cloudControllerManager: object(
      "Whether the platform has a cloud controller manager.",
      {
        state: oneOf(
          "External: nodes wait for it. None, or empty: there is none.",
          cloudControllerManagerStates,
          immutable("state stays as it was set"),
        ),
      },
      {
        rules: [
          rule(
            "(has(self.state) == has(oldSelf.state)) || (!has(oldSelf.state) && self.state != 'External')",
            "state stays as it was set",
          ),
        ],
      },
    ),
  },
  {
    rules: [
      rule(
        "has(self.cloudControllerManager) == has(oldSelf.cloudControllerManager)",
        "cloudControllerManager stays as it was set",
      ),
    ],
  },
);

export const platformType = (description: string): Schema => oneOf(description, platformTypes);

export const platformStatusSchema = object("What is particular to the platform.", {
  alibabaCloud,
  aws,
  azure,
  baremetal: object("Of bare metal.", networked),
  equinixMetal: object("Of Equinix Metal.", addressed),
  external,
  gcp,
  ibmcloud,
  kubevirt: object("Of KubeVirt.", addressed),
  nutanix: object("Of Nutanix.", balanced(setList)),
  openstack: object("Of OpenStack.", { ...networked, cloudName: string("The cloud in clouds.yaml.") }),
  ovirt: object("Of oVirt.", { ...balanced(setList), nodeDNSIP }),
  powervs,
  type: platformType("Which of the others counts. Libvirt and None have nothing to say."),
  vsphere: object("Of vSphere.", networked),
});
