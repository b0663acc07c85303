import { type ConfigMap, StowageError } from "@stowage/machinery";
import { CORE_SCHEMA, load } from "js-yaml";
import { storageOperatorNamespace } from "../names.ts";

/** An administrator's: nobody makes it for them. */
export const detectorConfigName = "vsphere-problem-detector";
const KEY = "config.yaml";

/** Whether the alerts are wanted. A word that nobody knows is a mistake: it may have been meant to turn them off. */
export function areAlertsDisabled(configMap: ConfigMap | undefined): boolean {
  if (configMap === undefined) return false;
  const text = configMap.data?.[KEY];
  if (text === undefined) throw invalid(`it has no key ${KEY}`);
  const config = parsed(text) ?? {};
  if (typeof config !== "object" || Array.isArray(config)) throw invalid(`${KEY} holds no fields`);
  const { alertsDisabled = false, ...others } = config as { alertsDisabled?: unknown };
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw invalid(`${KEY} has the field ${unknown}, and only alertsDisabled is known`);
  if (typeof alertsDisabled !== "boolean") throw invalid("alertsDisabled is neither true nor false");
  return alertsDisabled;
}

function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? {} : load(text, { schema: CORE_SCHEMA });
  } catch (error) {
    throw invalid(`${KEY} is not YAML`, error);
  }
}

function invalid(what: string, cause?: unknown): StowageError {
  const where = `ConfigMap ${storageOperatorNamespace}/${detectorConfigName}`;
  return new StowageError("CLOUD_CONFIG_INVALID", `${where}: ${what}`, { cause });
}
