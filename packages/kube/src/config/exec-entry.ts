import { StowageError } from "@stowage/machinery";
import type { ExecApiVersion, ExecPluginConfig, InteractiveMode } from "./connection-config.ts";
import type { ExecEntry } from "./kubeconfig.ts";
import type { Environment } from "./kubeconfig-paths.ts";

const apiVersions: readonly string[] = [
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
] satisfies ExecApiVersion[];
const interactiveModes: readonly string[] = ["Never", "IfAvailable", "Always"] satisfies InteractiveMode[];

/** Checks the exec section of a user and gives the plugin its environment. */
export function execPlugin(entry: ExecEntry, where: string, env: Environment): ExecPluginConfig {
  if (entry.command === undefined) {
    throw new StowageError("KUBECONFIG_INVALID", `${where}: exec.command is missing.`);
  }
  return {
    apiVersion: checkedApiVersion(entry.apiVersion, where),
    command: entry.command,
    args: entry.args,
    env: { ...definedOnly(env), ...Object.fromEntries(entry.env.map(({ name, value }) => [name, value])) },
    interactiveMode: checkedInteractiveMode(entry, where),
    installHint: entry.installHint,
  };
}

function checkedApiVersion(apiVersion: string | undefined, where: string): ExecApiVersion {
  if (apiVersion === undefined || !apiVersions.includes(apiVersion)) {
    const found = apiVersion === undefined ? "is missing" : `is ${apiVersion}`;
    throw new StowageError("KUBECONFIG_INVALID", `${where}: exec.apiVersion ${found}.`, {
      nextStep: `Upgrade the plugin, and set exec.apiVersion to ${apiVersions.join(" or ")}.`,
    });
  }
  return apiVersion as ExecApiVersion;
}

/** v1beta1 came before the field, so only there it may be missing. */
function checkedInteractiveMode(entry: ExecEntry, where: string): InteractiveMode {
  const mode = entry.interactiveMode ?? (entry.apiVersion?.endsWith("/v1beta1") === true ? "IfAvailable" : undefined);
  if (mode === undefined || !interactiveModes.includes(mode)) {
    const found = mode === undefined ? "is missing" : `is ${mode}`;
    throw new StowageError("KUBECONFIG_INVALID", `${where}: exec.interactiveMode ${found}.`, {
      nextStep: `Set it to ${interactiveModes.join(", ")}.`,
    });
  }
  return mode as InteractiveMode;
}

function definedOnly(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
