import { atomicList, int32, mapList, object, oneOf, rule, string } from "../../crds/index.ts";
import { csiDriverTypes, efsMetricsStates, secretRotationTypes, tokenRequestsTypes } from "../csi-driver-config.ts";

const awsKeyRule = rule(
  "self.matches('^arn:(aws|aws-cn|aws-us-gov|aws-iso|aws-iso-b|aws-iso-e|aws-iso-f|aws-eusc):kms:[a-z0-9-]+:[0-9]{12}:(key|alias)/.*$')",
  "kmsKeyARN must be the ARN of a key or an alias: arn:<partition>:kms:<region>:<account>:(key|alias)/<id or name>",
);

const aws = object("For the drivers of AWS.", {
  efsVolumeMetrics: object(
    "Whether and how the EFS driver finds out how full a volume is.",
    {
      recursiveWalk: object("How the files are walked through.", {
        fsRateLimit: int32("How many walks at once on one file system. 5 when left out.", { minimum: 1, maximum: 100 }),
        refreshPeriodMinutes: int32("How often. 240 when left out.", { minimum: 1, maximum: 43_200 }),
      }),
      state: oneOf(
        "RecursiveWalk looks at every file, which costs CPU and memory. Disabled does nothing.",
        efsMetricsStates,
      ),
    },
    { required: ["state"] },
  ),
  kmsKeyARN: string("The key that volumes of the default storage class are encrypted with.", {
    maxLength: 2048,
    "x-kubernetes-validations": [awsKeyRule],
  }),
});

const azure = object("For the drivers of Azure.", {
  diskEncryptionSet: object(
    "The set of keys that volumes of the default storage class are encrypted with.",
    {
      name: string("The name of the set.", { maxLength: 80, pattern: "^[a-zA-Z0-9\\_-]+$" }),
      resourceGroup: string("The resource group that has it.", {
        maxLength: 90,
        pattern: "^[\\w\\.\\-\\(\\)]*[\\w\\-\\(\\)]$",
      }),
      subscriptionID: string("The subscription that has it: a UUID.", {
        maxLength: 36,
        pattern: "^[a-fA-F0-9]{8}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{4}-[a-fA-F0-9]{12}$",
      }),
    },
    { required: ["name", "resourceGroup", "subscriptionID"] },
  ),
});

const keyName = { minLength: 1, maxLength: 63, pattern: "^[a-zA-Z0-9\\_-]+$" };

const gcp = object("For the drivers of Google Cloud.", {
  kmsKey: object(
    "The key that volumes of the default storage class are encrypted with.",
    {
      keyRing: string("The ring that has the key.", keyName),
      location: string("Where the ring is. global when left out.", { pattern: "^[a-zA-Z0-9\\_-]+$" }),
      name: string("The name of the key.", keyName),
      projectID: string("The project that has the ring.", {
        minLength: 6,
        maxLength: 30,
        pattern: "^[a-z][a-z0-9-]+[a-z0-9]$",
      }),
    },
    { required: ["keyRing", "name", "projectID"] },
  ),
});

const ibmcloud = object(
  "For the driver of IBM Cloud.",
  {
    encryptionKeyCRN: string("The root key that volumes of the default storage classes are encrypted with.", {
      minLength: 144,
      maxLength: 154,
      pattern:
        "^crn:v[0-9]+:bluemix:(public|private):(kms|hs-crypto):[a-z-]+:a/[0-9a-f]+:[0-9a-f-]{36}:key:[0-9a-f-]{36}$",
    }),
  },
  { required: ["encryptionKeyCRN"] },
);

const snapshotLimit = { minimum: 1, maximum: 32 };

const vSphere = object("For the driver of vSphere.", {
  globalMaxSnapshotsPerBlockVolume: int32("How many snapshots a volume may have. 3 when left out.", snapshotLimit),
  granularMaxSnapshotsPerBlockVolumeInVSAN: int32("The same on vSAN, where it goes first.", snapshotLimit),
  granularMaxSnapshotsPerBlockVolumeInVVOL: int32("The same on Virtual Volumes, where it goes first.", snapshotLimit),
  maxAllowedBlockVolumesPerNode: int32(
    "How many volumes a node may have attached. 59 when left out; more needs vSphere 8 on every host.",
    { minimum: 1, maximum: 255 },
  ),
  topologyCategories: atomicList(
    "The tag categories of regions and zones; the failure domains of Infrastructure go first.",
    { type: "string" },
  ),
});

const secretRotation = object(
  "Whether mounted secrets follow their provider.",
  {
    custom: {
      ...object("How they follow.", {
        minimumRefreshAge: int32("How many seconds between two looks, at least.", { minimum: 1, maximum: 31_560_000 }),
      }),
      minProperties: 1,
    },
    type: oneOf("None: secrets are fetched when a pod starts. Custom: as custom says.", secretRotationTypes),
  },
  { required: ["type"], rules: [memberRule("type", "Custom", "custom")] },
);

const audience = object(
  "A token that the driver gets.",
  {
    audience: string("Whom the token is for; empty for the API server's own audiences.", { maxLength: 253 }),
    expirationSeconds: int32("How long it is to be valid.", { minimum: 600, maximum: 315_360_000 }),
  },
  { required: ["audience"] },
);

const tokenRequests = object(
  "The tokens of service accounts that the driver gets, for workload identity.",
  {
    managed: {
      ...object("Which tokens.", {
        audiences: { ...mapList("By audience; empty takes all away.", ["audience"], audience), maxItems: 10 },
      }),
      minProperties: 1,
    },
    type: oneOf("Unmanaged: the CSIDriver keeps what it has. Managed: as managed says, for good.", tokenRequestsTypes),
  },
  { required: ["type"], rules: [memberRule("type", "Managed", "managed")] },
);

const secretsStore = {
  ...object("For the Secrets Store driver.", { secretRotation, tokenRequests }),
  minProperties: 1,
};

/** In a union, the member that goes with a type is there with that type and only then. */
function memberRule(discriminator: string, type: string, member: string) {
  return rule(
    `has(self.${discriminator}) && self.${discriminator} == '${type}' ? has(self.${member}) : !has(self.${member})`,
    `${member} must be set when ${discriminator} is ${type}, and only then`,
  );
}

export const driverConfigSchema = object(
  "What is particular to some drivers.",
  {
    aws,
    azure,
    driverType: oneOf("Which of the others counts.", csiDriverTypes),
    gcp,
    ibmcloud,
    secretsStore,
    vSphere,
  },
  {
    required: ["driverType"],
    rules: [memberRule("driverType", "IBMCloud", "ibmcloud"), memberRule("driverType", "SecretsStore", "secretsStore")],
  },
);
