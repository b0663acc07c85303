import {
  clusterCSIDrivers,
  configMaps,
  deployments,
  persistentVolumes,
  pods,
  proxies,
  secrets,
  storageClasses,
} from "@stowage/machinery";
import { createAuthority } from "@stowage/machinery/certificates";
import type { OperatorCluster } from "../driver-operator/operator-cluster.ts";
import { namespace } from "../driver-operator/platform.ts";

const nowMs = Date.now();
const key = createAuthority("test", { fromMs: nowMs, untilMs: nowMs + 3_600_000 }).key;

/** Each is in a Secret; many are also where they ought not to be. */
const inSecrets = {
  password: "Tr0ub4dor&3-of-the-cloud",
  token: "qUiTe-a-long-token-0123456789",
  nested: "the-nested-clouds-password",
  dockerAuth: Buffer.from("user:docker-hub-password").toString("base64"),
  url: "url-password-9876",
};
/** In no Secret: told by the name that they stand under. */
const byName = {
  env: "an-env-variable-nobody-should-see",
  flag: "a-flag-nobody-should-see",
  map: "a-map-entry-nobody-should-see",
  block: "a-block-nobody-should-see",
  json: "a-json-entry-nobody-should-see",
  binary: "binary-data-nobody-should-see",
  classParameter: "a-class-parameter-nobody-should-see",
  attribute: "an-attribute-nobody-should-see",
  userEnv: "an-env-variable-of-a-user",
  proxy: "proxy-password-nobody-should-see",
  applied: "a-last-applied-value-nobody-should-see",
};

/** Nothing of this may be in any file, as it is or in base64. */
export const secretValues: readonly string[] = [
  ...Object.values(inSecrets),
  ...Object.values(byName),
  ...keyLines(),
].flatMap((value) => [value, Buffer.from(value).toString("base64").replaceAll("=", "")]);

function keyLines(): string[] {
  return key.split("\n").filter((line) => line !== "" && !line.startsWith("-----"));
}

export const logOfDriver = `started\nlogged in with ${inSecrets.token}\nended\n`;

export async function createSecretFixtures({ client }: OperatorCluster): Promise<void> {
  await client.create(secrets, {
    metadata: {
      name: "credentials",
      namespace,
      annotations: {
        "kubectl.kubernetes.io/last-applied-configuration": JSON.stringify({ stringData: { a: byName.applied } }),
        "openshift.io/token-secret.value": inSecrets.token,
      },
    },
    stringData: {
      password: inSecrets.password,
      token: inSecrets.token,
      empty: "",
      "clouds.yaml": `clouds:\n  openstack:\n    auth:\n      username: me\n      password: "${inSecrets.nested}"\n`,
      ".dockerconfigjson": JSON.stringify({ auths: { "registry.test": { auth: inSecrets.dockerAuth } } }),
      "database-url": `postgres://me:${inSecrets.url}@db/x`,
    },
  });
  await client.create(secrets, {
    metadata: { name: "key", namespace },
    stringData: { "tls.key": key, "tls.crt": "c" },
  });
  await client.create(configMaps, {
    metadata: {
      name: "copied",
      namespace,
      annotations: { note: `somebody wrote ${inSecrets.password} here`, "x/token": byName.map },
    },
    data: {
      "cloud.conf": `[Global]\npassword = ${byName.map}\nregion = here\n# ${inSecrets.nested}\n`,
      "settings.yaml": `a: b\npassword: |\n  ${byName.block}\n  ${byName.block}\nlast: kept\n`,
      "settings.json": JSON.stringify({ clientSecret: byName.json, plain: inSecrets.password }),
      "key.pem": key,
      address: `http://me:${byName.proxy}@proxy:3128`,
      encoded: Buffer.from(inSecrets.password).toString("base64"),
    },
    binaryData: { blob: Buffer.from(byName.binary).toString("base64") },
  });
  await client.create(pods, {
    metadata: { name: "driver", namespace, annotations: { "x/password": byName.map } },
    spec: {
      containers: [
        {
          name: "csi-driver",
          image: "registry.test/c:1",
          args: [`--password=${byName.flag}`, "--token", byName.flag, `--plain=${inSecrets.token}`, "--v=2"],
          env: [
            { name: "OS_PASSWORD", value: byName.env },
            { name: "PLAIN", value: inSecrets.password },
            { name: "REGION", value: "here" },
          ],
        },
      ],
    },
  });
  const status = {
    phase: "Running" as const,
    containerStatuses: [
      {
        name: "csi-driver",
        image: "registry.test/c:1",
        imageID: "c",
        ready: true,
        restartCount: 1,
        state: { running: {} },
        lastState: { terminated: { exitCode: 1 } },
      },
    ],
  };
  const ref = { namespace, name: "driver" };
  await client.patch(pods, ref, { type: "merge", patch: { status } }, { subresource: "status" });
  await client.create(deployments, {
    metadata: { name: "operator", namespace },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: {
        metadata: { labels: { a: "b" } },
        spec: { containers: [{ name: "c", image: "i", command: ["sh", "-c", `login ${inSecrets.password}`] }] },
      },
    },
  });
  await client.create(storageClasses, {
    metadata: { name: "odd" },
    provisioner: "x",
    parameters: { adminPassword: byName.classParameter, "csi.storage.k8s.io/provisioner-secret-name": "credentials" },
  });
  await client.create(persistentVolumes, {
    metadata: { name: "odd" },
    spec: {
      capacity: { storage: "1Gi" },
      accessModes: ["ReadWriteOnce"],
      csi: { driver: "x", volumeHandle: "1", volumeAttributes: { sasToken: byName.attribute } },
    },
  });
  await client.create(clusterCSIDrivers, {
    metadata: { name: "local.csi.stowage.dev" },
    spec: { managementState: "Managed", unsupportedConfigOverrides: { comment: inSecrets.password } },
  });
  const httpsProxy = `http://me:${byName.proxy}@proxy:3128`;
  await client.create(proxies, { metadata: { name: "cluster" }, spec: { httpsProxy } });
  await client.create(pods, {
    metadata: { name: "of-a-user", namespace: "default" },
    spec: {
      containers: [{ name: "c", image: "i", env: [{ name: "ANYTHING", value: byName.userEnv }] }],
      volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }],
    },
  });
}
