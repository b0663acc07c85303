import { defineCommand } from "../command.ts";
import { operatorOptions } from "../operators/operator-options.ts";

export const versionOperatorCommand = defineCommand({
  name: "version-operator",
  summary: "run the cluster's version operator",
  details:
    "Applies the manifests of a payload in order, waits for its ClusterOperators, and tells in ClusterVersion/version how far it is. " +
    "Another payload in the same folder (its release-metadata is to be written last) is an upgrade, unless something is not " +
    "upgradeable. Refuses to start on OpenShift, where the cluster's own does this.",
  options: {
    ...operatorOptions,
    payload: {
      type: "string",
      placeholder: "FOLDER",
      default: "/payload",
      help: "the payload: a folder with release-metadata and manifests/",
    },
    releaseImage: {
      type: "string",
      placeholder: "IMAGE",
      env: "RELEASE_IMAGE",
      help: "the image that the payload comes from, for the history",
    },
    clusterProfile: {
      type: "string",
      placeholder: "NAME",
      default: "self-managed-high-availability",
      help: "objects that name profiles and not this one are left out",
    },
    payloadPoll: { type: "duration", default: "10s", help: "how often to look for another payload" },
    reconcilePeriod: { type: "duration", default: "5m", help: "in which every object is looked at once" },
  },
  async run(context, options) {
    const { createVersionOperator, versionOperatorLease, versionOperatorNamespace } = await import(
      "@stowage/operators/version"
    );
    const { runOperatorProcess } = await import("../operators/operator-process.ts");
    return runOperatorProcess(context, {
      name: "version-operator",
      leaseName: versionOperatorLease,
      defaultNamespace: versionOperatorNamespace,
      options,
      make: (deps) =>
        createVersionOperator(deps, {
          payload: options.payload,
          releaseImage: options.releaseImage,
          profile: options.clusterProfile,
          payloadPollMs: options.payloadPoll,
          reconcilePeriodMs: options.reconcilePeriod,
        }),
    });
  },
});
