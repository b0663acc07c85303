import { CsiError } from "@stowage/csi";

/**
 * The secrets that calls must carry. The names, and so the file that holds them, are those of csi-sanity, which calls the driver
 * with the same file.
 */
export type RequiredSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Calls whose secrets csi-sanity knows by another name than their own. */
const KNOWN_AS: Readonly<Record<string, string>> = {
  ValidateVolumeCapabilities: "ControllerValidateVolumeCapabilities",
  CreateVolumeGroupSnapshot: "CreateSnapshot",
  DeleteVolumeGroupSnapshot: "DeleteSnapshot",
  GetVolumeGroupSnapshot: "ListSnapshots",
};

/** @throws CsiError UNAUTHENTICATED when the call does not carry exactly what is required of it */
export function authenticate(required: RequiredSecrets, method: string, request: object): void {
  const expected = required[`${KNOWN_AS[method] ?? method}Secret`];
  if (expected === undefined) return;
  const given: Readonly<Record<string, string>> = ("secrets" in request && (request.secrets as typeof given)) || {};
  const isComplete = Object.entries(expected).every(([name, value]) => given[name] === value);
  if (!isComplete) throw new CsiError("UNAUTHENTICATED", `${method} was called without the secrets that it needs`);
}
