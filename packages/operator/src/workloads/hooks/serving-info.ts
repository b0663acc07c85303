import { StowageError } from "@stowage/machinery";
import { replacePlaceholders } from "../../assets/index.ts";
import { driverServingInfoPath } from "../../configuration/index.ts";
import { observedAt, type WorkloadManifestHook } from "./hook-context.ts";

/** A custom TLS profile need not say a version. */
const defaultMinTLSVersion = "VersionTLS12";

/**
 * WithServingInfo: `TLS_CIPHER_SUITES` and `TLS_MIN_VERSION` as observed. Before anything was observed the text stays as it is, and
 * an asset with these placeholders is not sent.
 */
export function withServingInfo(): WorkloadManifestHook {
  return (text, { operator }) => {
    if (observedAt(operator, []) === undefined) return text;
    const servingInfoAt = (name: string) => observedAt(operator, [...driverServingInfoPath, name]);
    const cipherSuites = servingInfoAt("cipherSuites");
    const minTLSVersion = servingInfoAt("minTLSVersion");
    check(text, "TLS_CIPHER_SUITES", { name: "cipherSuites", isFound: isTextList(cipherSuites) });
    check(text, "TLS_MIN_VERSION", { name: "minTLSVersion", isFound: typeof minTLSVersion === "string" });
    return replacePlaceholders(text, {
      TLS_CIPHER_SUITES: isTextList(cipherSuites) ? cipherSuites.join(",") : undefined,
      TLS_MIN_VERSION: typeof minTLSVersion === "string" ? minTLSVersion || defaultMinTLSVersion : undefined,
    });
  };
}

function check(text: string, placeholder: string, { name, isFound }: { name: string; isFound: boolean }): void {
  if (isFound || !text.includes(`\${${placeholder}}`)) return;
  throw new StowageError(
    "CLUSTER_CONFIG_MISSING",
    `could not find the servingInfo.${name} config from observed config`,
  );
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
