import type { PayloadWishes } from "@stowage/operators/version";
import { versionText } from "../version-text.ts";
import { imagesByVariable } from "./image-settings.ts";
import { ownReferences, ownVariables } from "./own-references.ts";
import { localPlatformManifest } from "./platform-manifest.ts";

export interface PayloadOptions {
  /** Of Stowage; the names in the payload stay as they are when left out. */
  readonly image?: string | undefined;
  /** `VARIABLE=IMAGE` */
  readonly setImage?: readonly string[] | undefined;
  readonly platform: "detected" | "local";
}

/** The payload that is meant by the options of `stowage payload`, wherever they come from. */
export function payloadWishes({ image, setImage = [], platform }: PayloadOptions): PayloadWishes {
  return {
    version: versionText(),
    images: { ...(image !== undefined && ownVariables(image)), ...imagesByVariable(setImage) },
    references: image === undefined ? {} : ownReferences(image),
    manifests: platform === "local" ? localPlatformManifest : {},
  };
}
