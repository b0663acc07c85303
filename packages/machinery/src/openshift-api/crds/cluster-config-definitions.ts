import type { CustomResourceDefinition } from "../../api/index.ts";
import {
  atomicList,
  condition,
  definition,
  emptyObject,
  list,
  mapList,
  nullable,
  object,
  oneOf,
  rule,
  type Schema,
  setList,
  string,
} from "../../crds/index.ts";
import { auditProfiles, encryptionTypes, featureSets, tlsAdherences, tlsGroups } from "../cluster-config.ts";
import { apiServers, featureGates, proxies } from "../resources.ts";
import { tlsProfileTypes, tlsProtocolVersions } from "../tls-profiles.ts";

const reference = (description: string): Schema =>
  object(description, { name: string("Its name.") }, { required: ["name"] });

const proxyFields = {
  httpProxy: string("The proxy for HTTP."),
  httpsProxy: string("The proxy for HTTPS."),
  noProxy: string("What is reached without a proxy, separated by commas."),
};

export const proxyDefinition: CustomResourceDefinition = definition({
  type: proxies,
  description: "How the cluster gets out. The one that counts is named cluster.",
  fields: {
    spec: object("What is asked for.", {
      ...proxyFields,
      readinessEndpoints: list("What must answer.", { type: "string" }),
      trustedCA: reference("A ConfigMap in openshift-config with further authorities to trust."),
    }),
    status: object("What is in effect.", proxyFields),
  },
  required: ["spec"],
});

const tlsSecurityProfile = object("How old the TLS of clients may be. Intermediate when left out.", {
  custom: nullable(
    object("A profile of one's own, with type Custom.", {
      ciphers: atomicList("The ciphers, by the names of OpenSSL.", { type: "string" }),
      groups: setList("Key exchange, the preferred first.", oneOf("A group.", tlsGroups), { minItems: 1, maxItems: 7 }),
      minTLSVersion: oneOf("The oldest version of TLS.", tlsProtocolVersions),
    }),
  ),
  intermediate: nullable(emptyObject("Goes with type Intermediate, and has nothing to say.")),
  modern: nullable(emptyObject("Goes with type Modern, and has nothing to say.")),
  old: nullable(emptyObject("Goes with type Old, and has nothing to say.")),
  type: oneOf("Which of the profiles.", tlsProfileTypes),
});

const auditProfile = (description: string, more: Schema = {}) => oneOf(description, auditProfiles, more);

const audit: Schema = {
  ...object("What is written down of requests.", {
    customRules: mapList(
      "Of members of some groups, the first that matches.",
      ["group"],
      object(
        "Of members of a group.",
        { group: string("The group of users.", { minLength: 1 }), profile: auditProfile("What is written down.") },
        { required: ["group", "profile"] },
      ),
    ),
    profile: auditProfile("Of everybody else.", { default: "Default" }),
  }),
  default: { profile: "Default" },
};

const namedCertificate = object("A certificate for some names.", {
  names: atomicList("The names; those of the certificate when left out.", { type: "string" }, { maxItems: 64 }),
  servingCertificate: reference("A Secret in openshift-config."),
});

export const apiServerDefinition: CustomResourceDefinition = definition({
  type: apiServers,
  description: "Settings of the API server that others follow too. The one that counts is named cluster.",
  fields: {
    spec: object(
      "What is asked for.",
      {
        additionalCORSAllowedOrigins: atomicList("Origins that browsers may come from.", { type: "string" }),
        audit,
        clientCA: reference("A ConfigMap in openshift-config: who signs the certificates of clients."),
        encryption: object("How secrets are stored.", { type: oneOf("The cipher. Empty: none.", encryptionTypes) }),
        servingCerts: object("What the API server shows.", {
          namedCertificates: atomicList("For some names.", namedCertificate, { maxItems: 32 }),
        }),
        tlsAdherence: oneOf("Who follows the TLS profile: those who always did, or all.", tlsAdherences),
        tlsSecurityProfile,
      },
      { rules: [rule("!has(oldSelf.tlsAdherence) || has(self.tlsAdherence)", "tlsAdherence cannot be taken away")] },
    ),
    status: emptyObject("Nothing."),
  },
  required: ["spec"],
});

const gateName = string("The name of the gate.", { pattern: "^([A-Za-z0-9-]+\\.)*[A-Za-z0-9-]+\\.?$" });

const gates = (description: string): Schema =>
  list(description, object("A gate.", { name: gateName }, { required: ["name"] }));

const stays = (set: string) => rule(`oldSelf != '${set}' || self == '${set}'`, `${set} cannot be left again`);

export const featureGateDefinition: CustomResourceDefinition = definition({
  type: featureGates,
  description: "Which features are on. The one that counts is named cluster.",
  fields: {
    spec: object(
      "What is asked for.",
      {
        customNoUpgrade: nullable(
          object("Single gates, with featureSet CustomNoUpgrade.", {
            disabled: list("Those that are off.", gateName),
            enabled: list("Those that are on.", gateName),
          }),
        ),
        featureSet: oneOf("Which set of features. Empty is the default one.", featureSets, {
          "x-kubernetes-validations": [
            stays("CustomNoUpgrade"),
            stays("TechPreviewNoUpgrade"),
            stays("DevPreviewNoUpgrade"),
            rule("oldSelf != 'OKD' || self != ''", "OKD cannot be left for the default"),
          ],
        }),
      },
      { rules: [rule("!has(oldSelf.featureSet) || has(self.featureSet)", "featureSet cannot be taken away")] },
    ),
    status: object("What is in effect.", {
      conditions: mapList("How things are, by type.", ["type"], condition("One thing that holds, or not.")),
      featureGates: mapList(
        "The gates of each version that is running: two while an upgrade goes on.",
        ["version"],
        object(
          "The gates of one version.",
          {
            disabled: gates("Those that are off."),
            enabled: gates("Those that are on."),
            version: string("The version."),
          },
          { required: ["version"] },
        ),
      ),
    }),
  },
  required: ["spec"],
});
