import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { missingImageSetting } from "../../packages/cli/src/payload/missing-images.ts";
import { localPlatformManifest } from "../../packages/cli/src/payload/platform-manifest.ts";
import { versionOperatorObjects } from "../../packages/cli/src/up/version-operator-objects.ts";
import type { KubernetesObject } from "../../packages/machinery/src/index.ts";
import {
  defaultProfile,
  type Payload,
  readPayload,
  type VersionOperatorRules,
  versionOperatorRules,
  writeShippedPayload,
} from "../../packages/operators/src/version/index.ts";
import { checkout } from "../checkout.ts";
import { chartFile, templateText } from "./chart-templates.ts";
import { uninstallList } from "./uninstall-list.ts";
import { yamlText } from "./yaml-layout.ts";

const payloadManifests = "packages/operators/manifests/";
const definitions = `${payloadManifests}crds/`;
const header = "# Generated from packages/cli/src/up/version-operator-objects.ts by `npm run generate`. Do not edit.\n";

/**
 * What brings Stowage into a cluster: the version operator with the rights that its payload needs, for kustomize and as a chart. The
 * payload is in the image. `manifests` are its files, and those of the drivers, as they are generated now, by their path in the checkout.
 */
export async function generateInstallManifests(manifests: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const { version } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as { version: string };
  const payload = await payloadOf(manifests, version);
  const rules = versionOperatorRules(payload);
  return new Map([
    ["deploy/kustomize/base/version-operator.yaml", baseText(rules)],
    ["deploy/helm/stowage/templates/version-operator.yaml", header + templateText(rules)],
    ["deploy/helm/stowage/Chart.yaml", chartFile(version)],
    ["packages/cli/src/uninstall/generated/made-objects.json", uninstallList(payload, manifests)],
  ]);
}

function baseText(rules: VersionOperatorRules): string {
  const payloadVariables = {
    STOWAGE_PAYLOAD_PLATFORM: "detected",
    STOWAGE_PAYLOAD_SET_IMAGE: missingImageSetting,
  };
  const objects = versionOperatorObjects({ rules, image: "stowage", payloadVariables });
  return header + objects.map((object: KubernetesObject) => yamlText(object)).join("---\n");
}

/** With the platform that may be asked for: one role does for all. */
async function payloadOf(manifests: ReadonlyMap<string, string>, version: string): Promise<Payload> {
  const directory = mkdtempSync(join(tmpdir(), "payload-"));
  try {
    writeShippedPayload(directory, { version, manifests: localPlatformManifest });
    for (const [path, text] of manifests) {
      const prefix = path.startsWith(definitions) ? "0000_10_definitions_" : "";
      if (path.startsWith(payloadManifests))
        writeFileSync(join(directory, "manifests", `${prefix}${basename(path)}`), text);
    }
    return await readPayload({ directory, image: "", profile: defaultProfile });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
