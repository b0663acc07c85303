import type { ClusterCSIDriver, DaemonSet, Deployment } from "@stowage/machinery";
import type { HookContext } from "@stowage/operator";
import type { DriverHooks, DriverSources } from "../../driver-profile.ts";
import { ownedTag, pairsText, withDriverAddition } from "../../hooks/index.ts";

/** In the order of the originals: hooks are told by their index. */
export function awsEfsHooks(sources: DriverSources): DriverHooks {
  const withFips = <W extends Deployment | DaemonSet>(workload: W): W =>
    withDriverAddition(workload, { env: [{ name: "FIPS_ENABLED", value: String(sources.isFipsHost ?? false) }] });
  return {
    controllerHooks: [
      withFips,
      async (deployment, { signal }) => {
        const { clusterId, platformStatus } = await sources.facts.current(signal);
        // The driver's flag has no place for a tag without a value.
        const tags = (platformStatus.aws?.resourceTags ?? []).filter(({ key, value }) => key !== "" && value !== "");
        const text = pairsText([...tags, ownedTag(clusterId)], { between: ":", after: " " });
        return withDriverAddition(deployment, { args: [`--tags=${text}`] });
      },
    ],
    nodeHooks: [withFips, withVolumeMetrics],
  };
}

/** How full a volume is can be told only by a walk over all its files, so it is not told unasked. */
function withVolumeMetrics(daemonSet: DaemonSet, { operator }: HookContext<ClusterCSIDriver>): DaemonSet {
  const { driverType, aws } = operator.spec.driverConfig ?? {};
  const metrics = aws?.efsVolumeMetrics;
  if (driverType !== "AWS" || metrics?.state !== "RecursiveWalk") return daemonSet;
  const { refreshPeriodMinutes = 0, fsRateLimit = 0 } = metrics.recursiveWalk ?? {};
  return withDriverAddition(daemonSet, {
    args: [
      "--vol-metrics-opt-in=true",
      ...(refreshPeriodMinutes > 0 ? [`--vol-metrics-refresh-period=${refreshPeriodMinutes}`] : []),
      ...(fsRateLimit > 0 ? [`--vol-metrics-fs-rate-limit=${fsRateLimit}`] : []),
    ],
  });
}
