import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesObject } from "@stowage/machinery";
import {
  defaultProfile,
  type Payload,
  readPayload,
  versionOperatorRules,
  writeShippedPayload,
} from "@stowage/operators/version";
import { payloadWishes } from "../../payload/payload-wishes.ts";
import { versionOperatorObjects } from "../version-operator-objects.ts";

export interface ExistingInstallation {
  /** Our own program's. */
  readonly image: string;
  /** `VARIABLE=IMAGE`, of what is not our own. */
  readonly setImage: readonly string[];
  readonly platform: "detected" | "local";
}

export interface InstalledObjects {
  /** By whoever installs. */
  readonly own: readonly KubernetesObject[];
  /** By the version operator. */
  readonly payload: readonly KubernetesObject[];
}

/** What is installed in a cluster that is there: the version operator with its rights. Its image brings the payload along. */
export async function installedObjects(given: ExistingInstallation): Promise<InstalledObjects> {
  const { image, setImage, platform } = given;
  const payload = await payloadOf(given);
  const payloadVariables = { STOWAGE_PAYLOAD_PLATFORM: platform, STOWAGE_PAYLOAD_SET_IMAGE: setImage.join(",") };
  return {
    own: versionOperatorObjects({ rules: versionOperatorRules(payload), image, payloadVariables }),
    payload: payload.manifests.map(({ object }) => object),
  };
}

/** Made and read as it will be in the cluster. */
async function payloadOf(given: ExistingInstallation): Promise<Payload> {
  const directory = mkdtempSync(join(tmpdir(), "stowage-payload-"));
  try {
    writeShippedPayload(directory, payloadWishes(given));
    return await readPayload({ directory, image: given.image, profile: defaultProfile });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
