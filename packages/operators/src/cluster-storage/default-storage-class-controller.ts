import type { PlatformType } from "@stowage/machinery";
import {
  type ClusterFacts,
  type OperatorController,
  operatorController,
  type StatedCondition,
} from "@stowage/operator";
import type { StorageOperatorContext } from "./storage-operator-context.ts";

// Renaming it leaves the old conditions behind.
const name = "DefaultStorageClassController";

/** Where a driver of the platform brings the default class along. PowerVS has one too, and is not told so by the original. */
const platformsWithClass: ReadonlySet<PlatformType> = new Set([
  "AWS",
  "GCP",
  "VSphere",
  "Azure",
  "IBMCloud",
  "OpenStack",
]);

/**
 * Says who provides the default StorageClass. It makes none: that was for drivers in Kubernetes itself. But where there is no driver,
 * these are the only conditions by which storage is available.
 * Watches: the Storage, Infrastructure, nodes. Writes conditions:
 * `DefaultStorageClassController{Available,Progressing,Degraded,Disabled,Upgradeable}`.
 */
export function defaultStorageClassController(context: StorageOperatorContext): OperatorController {
  return operatorController(context, {
    name,
    watches: [context.facts],
    resyncMs: 60_000,
    async sync({ signal }) {
      const conditions = defaultClassConditions(await context.facts.current(signal));
      await context.operator.applyStatus(name, { conditions }, signal);
    },
  });
}

export function defaultClassConditions({
  platform,
  isLocal,
}: Pick<ClusterFacts, "platform" | "isLocal">): StatedCondition[] {
  const progressing: StatedCondition = { type: `${name}Progressing`, status: "False" };
  if (platformsWithClass.has(platform) || isLocal) {
    const message = "The default StorageClass comes with the platform's CSI driver";
    return [{ type: `${name}Available`, status: "True", message }, progressing];
  }
  const message = `There is no default StorageClass for the platform ${platform}`;
  return [
    { type: `${name}Available`, status: "True", message },
    progressing,
    { type: `${name}Disabled`, status: "True", reason: "UnsupportedPlatform", message },
    { type: `${name}Upgradeable`, status: "True" },
  ];
}
