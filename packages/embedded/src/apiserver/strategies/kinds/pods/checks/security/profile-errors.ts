import type { JsonObject } from "@stowage/machinery/apply";
import { type FieldError, invalid, required, tooLong } from "@stowage/machinery/structural";
import { textOf } from "../../../../json-fields.ts";
import { shownPart } from "../../pod-forms.ts";
import { listedErrors, when } from "../field-checks.ts";
import { relativePathErrors } from "../path-checks.ts";

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"] as const;

export function seccompErrors(profile: JsonObject, path: string): FieldError[] {
  const { type, localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  const ofType =
    textOf(type) === ""
      ? [required(`${path}.type`, "type is required when seccompProfile is set")]
      : listedErrors(`${path}.type`, type, profileTypes);
  if (type === "Localhost") {
    return localhostProfile === undefined
      ? [...ofType, required(at, "must be set when seccomp type is Localhost")]
      : [...ofType, ...relativePathErrors(at, localhostProfile)];
  }
  const shown = shownPart("SeccompProfile", profile);
  const detail = "can only be set when seccomp type is Localhost";
  return [...ofType, ...when(localhostProfile !== undefined, invalid(at, shown, detail))];
}

/** Longer ones are no paths of Linux. */
const mostPathBytes = 4095;

export function appArmorErrors(profile: JsonObject, path: string): FieldError[] {
  const { type, localhostProfile } = profile;
  const at = `${path}.localhostProfile`;
  if (textOf(type) === "") return [required(`${path}.type`, "type is required when appArmorProfile is set")];
  const unknown = listedErrors(`${path}.type`, type, profileTypes);
  if (unknown.length > 0) return unknown;
  if (type !== "Localhost") {
    const detail = "can only be set when AppArmor type is Localhost";
    return when(localhostProfile !== undefined, invalid(at, localhostProfile, detail));
  }
  const missing = required(at, "must be set when AppArmor type is Localhost");
  if (localhostProfile === undefined) return [missing];
  const name = textOf(localhostProfile);
  const isPadded = name.trim() !== name;
  return [
    ...when(isPadded, invalid(at, name, "must not be padded with whitespace")),
    ...when(!isPadded && name === "", missing),
    ...when(Buffer.byteLength(name) > mostPathBytes, tooLong(at, mostPathBytes)),
  ];
}
