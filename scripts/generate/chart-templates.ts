import { versionOperatorObjects } from "../../packages/cli/src/up/version-operator-objects.ts";
import type { KubernetesObject } from "../../packages/machinery/src/index.ts";
import type { VersionOperatorRules } from "../../packages/operators/src/version/index.ts";
import { yamlText } from "./yaml-layout.ts";

/** Words that stand in the objects where the chart has something of its values. */
const places = {
  image: "chart-image",
  platform: "chart-platform",
  images: "chart-images",
} as const;

/** In what is written as YAML, by what is there. */
const templates: readonly (readonly [RegExp, string])[] = [
  [/\bchart-image$/gmu, '{{ include "stowage.image" . | quote }}'],
  [/\bchart-platform$/gmu, "{{ .Values.platform | quote }}"],
  [/\bchart-images$/gmu, '{{ include "stowage.images" . | quote }}'],
  [/\bnamespace: openshift-cluster-version$/gmu, "namespace: {{ .Release.Namespace }}"],
  [/\bimagePullPolicy: IfNotPresent$/gmu, "imagePullPolicy: {{ .Values.image.pullPolicy }}"],
  [/^metadata:$/gmu, 'metadata:\n  labels:\n    {{- include "stowage.labels" . | nindent 4 }}'],
];

/** The objects of the version operator but for its namespace, which is the release's. */
export function templateText(rules: VersionOperatorRules): string {
  const payloadVariables = { STOWAGE_PAYLOAD_PLATFORM: places.platform, STOWAGE_PAYLOAD_SET_IMAGE: places.images };
  const objects: readonly KubernetesObject[] = versionOperatorObjects({ rules, image: places.image, payloadVariables });
  const text = objects
    .filter(({ kind }) => kind !== "Namespace")
    .map((object) => yamlText(object))
    .join("---\n");
  return templates.reduce((changed, [place, template]) => changed.replaceAll(place, template), text);
}

export function chartFile(version: string): string {
  return [
    "# Generated from scripts/generate/chart-templates.ts by `npm run generate`. Do not edit.",
    yamlText({
      apiVersion: "v2",
      name: "stowage",
      description: "Storage for Kubernetes that installs, upgrades, reports on and protects itself",
      type: "application",
      version,
      appVersion: version,
      kubeVersion: ">=1.30.0-0",
    }),
  ].join("\n");
}
