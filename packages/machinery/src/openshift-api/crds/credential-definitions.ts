import type { CustomResourceDefinition } from "../../api/index.ts";
import {
  boolean,
  definition,
  free,
  int64,
  list,
  object,
  objectReference,
  oneOf,
  string,
  time,
} from "../../crds/index.ts";
import { credentialsModes } from "../cloud-credential.ts";
import { conditionStatuses } from "../operator.ts";
import { cloudCredentials, credentialsRequests } from "../resources.ts";
import { operatorSpecFields, operatorStatus } from "./operator-schema.ts";

export const cloudCredentialDefinition: CustomResourceDefinition = definition({
  type: cloudCredentials,
  description: "Configures whoever fulfils CredentialsRequests. The one that counts is named cluster.",
  fields: {
    spec: object("What is asked of the operator.", {
      ...operatorSpecFields,
      credentialsMode: oneOf(
        "Mint: each request gets credentials of its own. Passthrough: each gets a copy of the cluster's. Manual: nobody fulfils " +
          "requests. Empty: whatever the cloud can do.",
        credentialsModes,
      ),
    }),
    status: operatorStatus,
  },
  required: ["spec"],
});

const requestCondition = object(
  "Something that stands in the way.",
  {
    lastProbeTime: time("When it was last looked at."),
    lastTransitionTime: time("When the status last changed."),
    message: string("What there is to say, for people."),
    reason: string("Why, in one word, for programs."),
    status: oneOf("Whether it holds.", conditionStatuses),
    type: string("What it is that holds or not."),
  },
  { required: ["status", "type"] },
);

export const credentialsRequestDefinition: CustomResourceDefinition = definition({
  type: credentialsRequests,
  description: "Asks for a Secret by which a component gets into the cloud.",
  fields: {
    spec: object(
      "What is asked for.",
      {
        cloudTokenPath: string("Where the component has its token, for workload identity."),
        providerSpec: free("What is to be allowed, in the words of the cloud."),
        secretRef: objectReference("The Secret to make."),
        serviceAccountNames: list("Who uses the credentials.", { type: "string" }),
      },
      { required: ["secretRef"] },
    ),
    status: object(
      "What has become of it.",
      {
        conditions: list("What stands in the way, by type.", requestCondition),
        lastSyncCloudCredsSecretResourceVersion: string("The version of the cluster's credentials at the last sync."),
        lastSyncGeneration: int64("The generation of the request at the last sync."),
        lastSyncInfrastructureResourceVersion: string("The version of Infrastructure at the last sync."),
        lastSyncTimestamp: time("When the last sync was."),
        providerStatus: free("What was made, in the words of the cloud."),
        provisioned: boolean("Whether the Secret is there."),
      },
      { required: ["lastSyncGeneration", "provisioned"] },
    ),
  },
  required: ["spec"],
});
