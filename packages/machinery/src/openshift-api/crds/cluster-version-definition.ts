import type { CustomResourceDefinition } from "../../api/index.ts";
import {
  atomicList,
  boolean,
  column,
  condition,
  definition,
  int64,
  mapList,
  nullable,
  object,
  oneOf,
  rule,
  type Schema,
  setList,
  string,
  time,
} from "../../crds/index.ts";
import {
  clusterArchitectures,
  clusterCapabilities,
  clusterCapabilitySets,
  riskRuleTypes,
  updateStates,
} from "../cluster-version.ts";
import { clusterVersions } from "../resources.ts";
import { conditionPath } from "./cluster-operator-definition.ts";
import { operatorConditions } from "./operator-schema.ts";

const architecture = oneOf("Multi, or empty for that of the cluster.", clusterArchitectures);

const capabilities = (description: string): Schema =>
  atomicList(description, oneOf("A capability.", clusterCapabilities));

const desiredUpdate = object(
  "What to upgrade to: a version or an image.",
  {
    architecture,
    force: boolean("Go ahead though something speaks against it. Dangerous."),
    image: string("The image of the release."),
    version: string("The version of the release."),
  },
  {
    rules: [
      rule(
        "!has(self.architecture) || !has(self.image) || self.architecture == '' || self.image == ''",
        "architecture and image do not go together",
      ),
      rule(
        "!has(self.architecture) || self.architecture == '' || (has(self.version) && self.version != '')",
        "architecture goes with a version",
      ),
    ],
  },
);

const override = object(
  "An object that is left alone.",
  {
    group: string("The group; empty for core."),
    kind: string("The kind."),
    name: string("The name."),
    namespace: string("The namespace; empty when it has none."),
    unmanaged: boolean("Whether it is left alone."),
  },
  { required: ["group", "kind", "name", "namespace", "unmanaged"] },
);

const signatureStore = object(
  "Where signatures are.",
  {
    ca: object("Whom to trust there.", { name: string("A ConfigMap in openshift-config.") }, { required: ["name"] }),
    url: string("The address.", {
      maxLength: 2048,
      "x-kubernetes-validations": [rule("isURL(self)", "url must be a whole URL")],
    }),
  },
  { required: ["url"] },
);

const spec = object(
  "What is asked for.",
  {
    capabilities: object("Which optional parts of the platform there are to be.", {
      additionalEnabledCapabilities: capabilities("Besides those of the set."),
      baselineCapabilitySet: oneOf("A set of them.", clusterCapabilitySets),
    }),
    channel: string("Which stream of updates to follow."),
    clusterID: string("The UUID of the cluster."),
    desiredUpdate,
    overrides: mapList("What the version operator leaves alone.", ["kind", "group", "namespace", "name"], override),
    signatureStores: { ...mapList("Where to look for signatures.", ["url"], signatureStore), maxItems: 32 },
    upstream: string("Whom to ask for updates."),
  },
  { required: ["clusterID"] },
);

const release = (description: string): Schema =>
  object(
    description,
    {
      architecture,
      channels: setList("The streams that it is in.", { type: "string" }),
      image: string("The image."),
      url: string("Where to read about it."),
      version: string("The version."),
    },
    { required: ["image", "version"] },
  );

const historyEntry = object(
  "One version that was asked for.",
  {
    acceptedRisks: string("What spoke against it."),
    completionTime: nullable(time("When all of it had been applied; null until then.")),
    image: string("The image."),
    startedTime: time("When it was begun."),
    state: oneOf("Partial until all of it has been applied.", updateStates),
    verified: boolean("Whether somebody who is trusted had signed it."),
    version: string("The version."),
  },
  { required: ["completionTime", "image", "startedTime", "state", "verified"] },
);

const risk = object(
  "Why some clusters should not take it.",
  {
    matchingRules: atomicList(
      "Which clusters: the first rule that can be worked out counts.",
      object(
        "A rule.",
        {
          promql: object("A query.", { promql: string("In the language of Prometheus.") }, { required: ["promql"] }),
          type: oneOf("All clusters, or those where the query says so.", riskRuleTypes),
        },
        { required: ["type"] },
      ),
      { minItems: 1 },
    ),
    message: string("What would happen.", { minLength: 1 }),
    name: string("The name of the risk.", { minLength: 1 }),
    url: string("Where to read about it.", { format: "uri", minLength: 1 }),
  },
  { required: ["matchingRules", "message", "name", "url"] },
);

const conditionalUpdate = object(
  "One that some clusters should not take.",
  {
    conditions: mapList("Whether this cluster should, by type.", ["type"], condition("One thing that holds, or not.")),
    release: release("The release."),
    risks: { ...mapList("Why not, by name.", ["name"], risk), minItems: 1, maxItems: 200 },
  },
  { required: ["release", "risks"] },
);

const status = object(
  "How things are.",
  {
    availableUpdates: nullable(
      atomicList("What one may upgrade to; null when nobody was asked.", release("A release.")),
    ),
    capabilities: object("Which optional parts of the platform there are.", {
      enabledCapabilities: capabilities("Those that are there."),
      knownCapabilities: capabilities("All that this version knows."),
    }),
    conditionalUpdates: atomicList("What some clusters should not upgrade to.", conditionalUpdate, { maxItems: 500 }),
    conditions: operatorConditions,
    desired: release("The release that the cluster is on its way to."),
    history: atomicList("The latest first.", historyEntry),
    observedGeneration: int64("The generation of the spec that this is about."),
    versionHash: string("Tells whether the release's content changed."),
  },
  { required: ["availableUpdates", "desired", "observedGeneration", "versionHash"] },
);

export const clusterVersionDefinition: CustomResourceDefinition = definition({
  type: clusterVersions,
  description: "The version of the cluster, and the one that it is to have. The one that counts is named version.",
  columns: [
    column("Version", "string", '.status.history[?(@.state=="Completed")].version'),
    column("Available", "string", conditionPath("Available", "status")),
    column("Progressing", "string", conditionPath("Progressing", "status")),
    column("Since", "date", conditionPath("Progressing", "lastTransitionTime")),
    column("Status", "string", conditionPath("Progressing", "message")),
  ],
  fields: { spec, status },
  required: ["spec"],
});
