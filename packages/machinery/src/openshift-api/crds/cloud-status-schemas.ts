import { atomicList, mapList, nullable, object, oneOf, rule, type Schema, string } from "../../crds/index.ts";
import { azureClouds, dnsTypes, ipFamilies } from "../platform-status.ts";
import { balancerAddresses } from "./address-schemas.ts";

/** Of a field that is set once. */
export const setOnce = (field: string) => rule("oldSelf == '' || self == oldSelf", `${field} stays as it was set`);

/** Of what can be set at installation only. */
const atInstallation = (field: string) =>
  rule(`has(oldSelf.${field}) == has(self.${field})`, `${field} can be set at installation only`);

const unchanged = (field: string) => ({
  "x-kubernetes-validations": [
    rule("self.all(x, x in oldSelf) && oldSelf.all(x, x in self)", `${field} can be set at installation only`),
  ],
});

/** Neither empty nor longer than that. */
export const text = (description: string, maxLength: number, pattern?: string): Schema =>
  string(description, { minLength: 1, maxLength, ...(pattern !== undefined && { pattern }) });

export function tag(
  description: string,
  key: Schema,
  value: Schema,
  more: Readonly<Record<string, Schema>> = {},
): Schema {
  const fields = { key, value, ...more };
  return object(description, fields, { required: Object.keys(fields) });
}

const tagCharacters = "^[0-9A-Za-z_.:/=+-@ ]+$";

const awsTag = tag("A tag.", text("Its key.", 128, tagCharacters), text("Its value.", 256, tagCharacters));

const azureTag = tag(
  "A tag.",
  text("Its key.", 128, "^[a-zA-Z]([0-9A-Za-z_.-]*[0-9A-Za-z_])?$"),
  text("Its value.", 256, "^[0-9A-Za-z_.=+-@]+$"),
);

const gcpLabelKey: Schema = {
  ...text("Its key.", 63, "^[a-z][0-9a-z_-]{0,62}$"),
  "x-kubernetes-validations": [
    rule(
      "!self.startsWith('openshift-io') && !self.startsWith('kubernetes-io')",
      "keys that begin with openshift-io or kubernetes-io belong to the platform",
    ),
  ],
};

const gcpLabel = tag("A label.", gcpLabelKey, text("Its value.", 63, "^[0-9a-z_-]{1,63}$"));

const gcpTag = tag(
  "A tag.",
  text("Its key.", 63, "^[a-zA-Z0-9]([0-9A-Za-z_.-]{0,61}[a-zA-Z0-9])?$"),
  text("Its value.", 63, "^[a-zA-Z0-9]([0-9A-Za-z_.@%=+:,*#&()\\[\\]{}\\-\\s]{0,61}[a-zA-Z0-9])?$"),
  {
    parentID: text(
      "The organization or project that defines it.",
      32,
      "(^[1-9][0-9]{0,31}$)|(^[a-z][a-z0-9-]{4,28}[a-z0-9]$)",
    ),
  },
);

const endpointsText = "Services that are not at their usual place.";

export const awsServiceEndpoints = atomicList(
  endpointsText,
  object("Where a service is.", {
    name: string("The service.", { pattern: "^[a-z0-9-]+$" }),
    url: string("Its address.", { pattern: "^https://" }),
  }),
);

const ibmServices = [
  "CIS",
  "COS",
  "COSConfig",
  "DNSServices",
  "GlobalCatalog",
  "GlobalSearch",
  "GlobalTagging",
  "HyperProtect",
  "IAM",
  "KeyProtect",
  "ResourceController",
  "ResourceManager",
  "VPC",
];

function ibmEndpoints(services: readonly string[], url: Schema): Schema {
  const fields = { name: oneOf("The service.", services), url: string("Its address.", url) };
  return mapList(endpointsText, ["name"], object("Where a service is.", fields, { required: ["name", "url"] }));
}

export const ibmServiceEndpoints = ibmEndpoints(ibmServices, {
  maxLength: 300,
  "x-kubernetes-validations": [rule("isURL(self)", "url must be a whole URL")],
});

export const powerServiceEndpoints = ibmEndpoints([...ibmServices, "Power"], { format: "uri", pattern: "^https://" });

const cloudLoadBalancerConfig: Schema = {
  ...object(
    "Who resolves the names of the cluster, and where its load balancers are.",
    {
      clusterHosted: object("The load balancers, when the cluster resolves its names itself.", {
        apiIntLoadBalancerIPs: balancerAddresses("Of the API, from inside."),
        apiLoadBalancerIPs: balancerAddresses("Of the API."),
        ingressLoadBalancerIPs: balancerAddresses("Of the ingress."),
      }),
      dnsType: oneOf("PlatformDefault: the cloud does. ClusterHosted: the cluster does.", dnsTypes, {
        default: "PlatformDefault",
        "x-kubernetes-validations": [setOnce("dnsType")],
      }),
    },
    {
      rules: [
        rule(
          "!has(self.clusterHosted) || !has(self.dnsType) || self.dnsType == 'ClusterHosted'",
          "clusterHosted goes with dnsType ClusterHosted alone",
        ),
      ],
    },
  ),
  default: { dnsType: "PlatformDefault" },
};

export const aws = object("Of AWS.", {
  cloudLoadBalancerConfig: nullable(cloudLoadBalancerConfig),
  ipFamily: oneOf("The addresses of what is made in the cloud.", ipFamilies, {
    default: "IPv4",
    "x-kubernetes-validations": [setOnce("ipFamily")],
  }),
  region: string("The region of the cluster."),
  resourceTags: atomicList("Put on all that is made in the cloud.", awsTag, { maxItems: 25 }),
  serviceEndpoints: awsServiceEndpoints,
});

export const azure = object(
  "Of Azure.",
  {
    armEndpoint: string("The resource manager of Azure Stack Hub."),
    cloudLoadBalancerConfig,
    cloudName: oneOf("Which of Azure's clouds. Empty is the public one.", azureClouds),
    networkResourceGroupName: string("The resource group of the network, when it is another."),
    resourceGroupName: string("The resource group of the cluster."),
    resourceTags: atomicList("Put on all that is made in the cloud.", azureTag, {
      maxItems: 10,
      ...unchanged("resourceTags"),
    }),
  },
  { rules: [atInstallation("resourceTags")] },
);

export const gcp = object(
  "Of Google Cloud.",
  {
    cloudLoadBalancerConfig: nullable(cloudLoadBalancerConfig),
    projectID: string("The project of the cluster."),
    region: string("The region of the cluster."),
    resourceLabels: {
      ...mapList("Put on all that is made in the cloud.", ["key"], gcpLabel),
      maxItems: 32,
      ...unchanged("resourceLabels"),
    },
    resourceTags: {
      ...mapList("Put on all that is made in the cloud.", ["key"], gcpTag),
      maxItems: 50,
      ...unchanged("resourceTags"),
    },
  },
  { rules: [atInstallation("resourceLabels"), atInstallation("resourceTags")] },
);
