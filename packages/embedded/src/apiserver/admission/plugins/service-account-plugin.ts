import { generateName } from "@stowage/machinery";
import type { JsonObject, JsonValue } from "@stowage/machinery/apply";
import { fieldsOf, listOf, metadataOf, specOf, textOf } from "../../strategies/index.ts";
import { pathSegmentProblems } from "../../verbs/object-key.ts";
import { type AdmissionPlugin, isCreateOf, type ObjectAdmission, refusal } from "../admission-plugin.ts";
import { clusterResources } from "../cluster-objects.ts";
import { checkMountableSecrets, namesSecrets } from "./secret-references.ts";

const mirrorAnnotation = "kubernetes.io/config.mirror";
const volumePrefix = "kube-api-access-";
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/** Pods run as a service account of their namespace, with its token where they look for it. `random` is for the volume's name. */
export function serviceAccountPlugin(random: () => number): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    mutate(admission) {
      const { object } = admission;
      if (!isCreateOf(admission, "pods")) return object;
      if (isMirror(object)) {
        checkMirror(admission);
        return object;
      }
      const name = textOf(specOf(object)["serviceAccountName"]) || "default";
      const account = existingAccount(admission, name);
      // Both names of the field are always the same.
      const named = { ...specOf(object), serviceAccountName: name, serviceAccount: name };
      const mounted = mountsToken(account, named) ? withToken(named, random) : named;
      const pod = { ...object, spec: withPullSecrets(mounted, account) };
      checkMountableSecrets({ ...admission, object: pod }, account);
      return pod;
    },
    validate(admission) {
      if (!isCreateOf(admission, "pods")) return;
      if (isMirror(admission.object)) return checkMirror(admission);
      const name = textOf(specOf(admission.object)["serviceAccountName"]);
      checkMountableSecrets(admission, existingAccount(admission, name));
    },
  };
}

/** Of a Pod that a node shows, and that the API has no part in. */
export function isMirror(pod: JsonObject): boolean {
  return fieldsOf(metadataOf(pod)["annotations"])[mirrorAnnotation] !== undefined;
}

function checkMirror(admission: ObjectAdmission): void {
  const spec = specOf(admission.object);
  if (textOf(spec["serviceAccountName"]) !== "") {
    throw refusal(admission, "a mirror pod may not reference service accounts");
  }
  if (namesSecrets(spec)) throw refusal(admission, "a mirror pod may not reference secrets");
  const sources = listOf(spec["volumes"]).flatMap((volume) => [
    ...listOf(fieldsOf(fieldsOf(volume)["projected"])["sources"]),
  ]);
  if (sources.some((source) => fieldsOf(source)["serviceAccountToken"] !== undefined)) {
    throw refusal(admission, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

function existingAccount(admission: ObjectAdmission, name: string): JsonObject {
  const { cluster, namespace } = admission;
  const account = cluster.get(clusterResources.serviceAccounts, name, namespace);
  if (account !== undefined) return account;
  const problems = pathSegmentProblems(name);
  const missing =
    problems.length > 0
      ? `invalid resource name ${JSON.stringify(name)}: [${problems.join(", ")}]`
      : `serviceaccount ${JSON.stringify(name)} not found`;
  throw refusal(admission, `error looking up service account ${namespace}/${name}: ${missing}`);
}

/** What the Pod says counts before what the account says. */
function mountsToken(account: JsonObject, spec: JsonObject): boolean {
  const said = spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"];
  return said !== false;
}

function withPullSecrets(spec: JsonObject, account: JsonObject): JsonObject {
  const secrets = listOf(account["imagePullSecrets"]);
  if (listOf(spec["imagePullSecrets"]).length > 0 || secrets.length === 0) return spec;
  return { ...spec, imagePullSecrets: secrets.map((secret) => ({ name: textOf(fieldsOf(secret)["name"]) })) };
}

function withToken(spec: JsonObject, random: () => number): JsonObject {
  const volumes = listOf(spec["volumes"]);
  const known = volumes.map((volume) => textOf(fieldsOf(volume)["name"])).find((name) => name.startsWith(volumePrefix));
  const name = known ?? generateName(volumePrefix, random);
  const mounted = (list: JsonValue | undefined) => listOf(list).map((each) => withMount(fieldsOf(each), name));
  const isNeeded = [...listOf(spec["initContainers"]), ...listOf(spec["containers"])].some(lacksMount);
  if (!isNeeded) return spec;
  return {
    ...spec,
    ...(spec["initContainers"] !== undefined && { initContainers: mounted(spec["initContainers"]) }),
    containers: mounted(spec["containers"]),
    ...(known === undefined && { volumes: [...volumes, { name, projected: tokenSources() }] }),
  };
}

function lacksMount(container: JsonValue): boolean {
  return !listOf(fieldsOf(container)["volumeMounts"]).some((mount) => fieldsOf(mount)["mountPath"] === mountPath);
}

function withMount(container: JsonObject, name: string): JsonObject {
  if (!lacksMount(container)) return container;
  const mount = { name, readOnly: true, mountPath };
  return { ...container, volumeMounts: [...listOf(container["volumeMounts"]), mount] };
}

function tokenSources(): JsonObject {
  return {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
      { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      {
        downwardAPI: {
          items: [{ path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } }],
        },
      },
    ],
    defaultMode: 420,
  };
}
