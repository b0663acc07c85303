import { type EnvVar, StowageError } from "@stowage/machinery";
import { type ConfigPath, driverProxyPath } from "../../configuration/index.ts";
import { type HookContext, observedAt, type Workload } from "./hook-context.ts";
import { withNamedContainers, withPodSpec } from "./pod-spec.ts";

const annotation = "config.openshift.io/inject-proxy";

/**
 * WithObservedProxy: `HTTP_PROXY` and the like for the containers that the workload's annotation names. The path is another one for
 * the cluster's storage operator: `storageProxyPath`.
 */
export function withObservedProxy(path: ConfigPath = driverProxyPath) {
  return <W extends Workload>(workload: W, { operator }: HookContext): W => {
    const proxy = proxyVariables(observedAt(operator, path));
    if (proxy.length === 0) return workload;
    const isOther = ({ name }: EnvVar) => !proxy.some((variable) => variable.name === name);
    return withPodSpec(workload, (pod) =>
      withNamedContainers(pod, workload.metadata.annotations?.[annotation], (container) => ({
        ...container,
        env: [...(container.env ?? []).filter(isOther), ...proxy],
      })),
    );
  };
}

/** Sorted, so that the same proxy is always the same text. */
function proxyVariables(observed: unknown): EnvVar[] {
  if (observed === undefined) return [];
  const variables = Object.entries(observed as Record<string, unknown>);
  const isMap = typeof observed === "object" && variables.every(([, value]) => typeof value === "string");
  // Not with its value: a proxy's address may hold a password.
  if (!isMap) throw new StowageError("OBJECT_REFUSED", "couldn't get the proxy config from observedConfig");
  return variables
    .map(([name, value]) => ({ name, value: String(value) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
