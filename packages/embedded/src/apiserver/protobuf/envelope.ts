import type { JsonObject } from "@stowage/machinery/apply";
import { decodeMessage } from "./message-decoder.ts";
import { ProtobufError } from "./protobuf-error.ts";
import { bytesOf } from "./wire-reader.ts";

const magic = Buffer.from("k8s\0");
const mediaType = "application/vnd.kubernetes.protobuf";

/** By the header of a request. */
export function isProtobuf(contentType: string | undefined): boolean {
  return contentType?.split(";")[0]?.trim() === mediaType;
}

/** These are the same in every group. */
const commonKinds: ReadonlySet<string> = new Set(["DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions"]);

/** The JSON of an object that was sent in this form; undefined when it cannot be read as one. */
export function jsonOfProtobuf(body: Buffer): string | undefined {
  if (!body.subarray(0, magic.length).equals(magic)) return undefined;
  try {
    const unknown = body.subarray(magic.length);
    const typeMeta = bytesOf(unknown, 1);
    const [apiVersion, kind] = [bytesOf(typeMeta, 1).toString("utf8"), bytesOf(typeMeta, 2).toString("utf8")];
    const object: JsonObject = { apiVersion, kind, ...decodeMessage(typeName(apiVersion, kind), bytesOf(unknown, 2)) };
    return JSON.stringify(object);
  } catch (error) {
    if (error instanceof ProtobufError) return undefined;
    throw error;
  }
}

/** `apps/v1`, `Deployment` → `apps/v1.Deployment`; `rbac.authorization.k8s.io/v1` → `rbac/v1`. */
export function typeName(apiVersion: string, kind: string): string {
  if (commonKinds.has(kind)) return `meta/v1.${kind}`;
  const [version = "", group = "core"] = apiVersion.split("/").toReversed();
  return `${group.split(".")[0]}/${version}.${kind}`;
}
