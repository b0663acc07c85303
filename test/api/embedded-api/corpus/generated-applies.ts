import { customDefinition } from "../../server-side-apply/kinds.ts";
import { configMapShape, deploymentShape, parcelShape, podTemplateShape } from "../../server-side-apply/sequences.ts";
import { deployments, get, maps } from "../builders.ts";
import { drawnWrites } from "../generated-steps.ts";
import type { Sequence, Step } from "../sequence.ts";

const group = "applies-{run}.example.test";
const { spec } = customDefinition;

export const setup: readonly Step[] = [
  {
    send: "POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    body: { ...customDefinition, metadata: { name: `parcels.${group}` }, spec: { ...spec, group } },
  },
  get(`/apis/${group}/v1/parcels`, { awaits: 200 }),
  get(`/apis/${group}/v2/parcels`, { awaits: 200 }),
];

const parcels = (version: string) => ({
  collection: `/apis/${group}/${version}/namespaces/{ns}/parcels`,
  apiVersion: `${group}/${version}`,
  kind: "Parcel",
});

const podTemplates = {
  collection: "/api/v1/namespaces/{ns}/podtemplates",
  apiVersion: "v1",
  kind: "PodTemplate",
};

export const appliedSequences: readonly Sequence[] = [
  ...drawnWrites("a ConfigMap", { collection: maps, apiVersion: "v1", kind: "ConfigMap" }, configMapShape, 70),
  ...drawnWrites("a PodTemplate", podTemplates, podTemplateShape, 70),
  ...drawnWrites(
    "a Deployment",
    { collection: deployments, apiVersion: "apps/v1", kind: "Deployment" },
    deploymentShape,
    70,
  ),
  ...drawnWrites("an object of a CRD", parcels("v1"), parcelShape, 80),
  ...drawnWrites("an object of a CRD in its other version", parcels("v2"), parcelShape, 20),
];
