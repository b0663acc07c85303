import { readFile } from "node:fs/promises";
import { StowageError } from "@stowage/machinery";
import { type AuthorizationConfig, parseAuthorizationConfig } from "./authorization-config.ts";

/** What `--config-file` says. The YAML parser is loaded for it alone. */
export async function readAuthorizationConfig(path: string): Promise<AuthorizationConfig> {
  const { CORE_SCHEMA, load } = await import("js-yaml");
  let document: unknown;
  try {
    document = load(await readFile(path, "utf8"), { schema: CORE_SCHEMA });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StowageError("RBAC_PROXY_FILE_UNUSABLE", `Cannot read ${path}: ${reason}.`, { cause });
  }
  return parseAuthorizationConfig(document);
}
