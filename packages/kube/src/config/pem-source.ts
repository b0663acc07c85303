import { StowageError } from "@stowage/machinery";
import type { PemSource } from "./connection-config.ts";

/** Inline data wins over a file. `where` names the data's field, for the complaint about bad base64. */
export function inlineOrFile(data: string | undefined, path: string | undefined, where: string): PemSource | undefined {
  if (data !== undefined) {
    return { kind: "inline", pem: decodeBase64(data, where) };
  }
  return path === undefined ? undefined : { kind: "file", path };
}

/** Buffer.from would skip over what is not base64, and the mistake would show up later as something else. */
function decodeBase64(data: string, where: string): string {
  const compact = data.replace(/\s+/g, "");
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(compact) || compact.length % 4 !== 0) {
    throw new StowageError("KUBECONFIG_CERTIFICATE_INVALID", `${where} is not base64.`, {
      nextStep: "Encode the PEM file by `base64 -w0`, or name the file in the field without -data.",
    });
  }
  return Buffer.from(compact, "base64").toString("utf8");
}
