/**
 * Of an operator's environment: `true` where the storage operator runs it. That one makes the ClusterCSIDriver anew, so that deleting it
 * must not take the driver along.
 */
export const neededByPlatformVariable = "NEEDED_BY_PLATFORM";
