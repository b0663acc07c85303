import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { startApiServer } from "@stowage/embedded";
import { createClient, createTransport, type KubeClient, loadKubeconfig } from "@stowage/kube";
import {
  clusterRoleBindings,
  deployments,
  hasErrorCode,
  namespaces,
  serviceAccounts,
  silentLogger,
} from "@stowage/machinery";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ExistingOptions, runUpOnExisting } from "./existing-run.ts";

const folder = mkdtempSync(join(tmpdir(), "existing-"));
const cleanUp = new AsyncDisposableStack();
const operator = { namespace: "openshift-cluster-version", name: "stowage-version-operator" };
let client: KubeClient;
let kubeconfig: string;

beforeAll(async () => {
  const server = cleanUp.use(await startApiServer({ dataDir: join(folder, "apiserver"), port: 0 }));
  kubeconfig = server.kubeconfigPath ?? "";
  const config = await loadKubeconfig({ path: kubeconfig, env: {}, homeDir: "/" });
  const transport = cleanUp.adopt(createTransport(config), (opened) => opened.close());
  client = createClient({ transport });
});
afterAll(async () => {
  await cleanUp.disposeAsync();
  rmSync(folder, { recursive: true });
});

interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** As typed at a terminal when there is an answer. */
async function up(changes: Partial<ExistingOptions> = {}, answer?: string): Promise<Told> {
  const told = { out: "", err: "" };
  const terminal = {
    out: (text: string) => void (told.out += text),
    err: (text: string) => void (told.err += text),
  };
  const input = new PassThrough();
  input.end(answer);
  const signal = new AbortController().signal;
  const context = { terminal, logger: silentLogger, setLogLevel: () => {}, env: {}, homeDir: "/", signal };
  const options = {
    kubeconfig,
    image: "registry.test/stowage:1",
    dryRun: false,
    yes: false,
    wait: false,
    demo: false,
    timeout: 60_000,
    output: "text",
    ...changes,
  } as const;
  const look = { columns: undefined, hasColours: false };
  const code = await runUpOnExisting(context, options, { ...look, isInteractive: answer !== undefined, input });
  return { code, ...told };
}

const withCode = (code: "UP_FORBIDDEN" | "UP_OPTIONS" | "UP_UNCONFIRMED") => (error: unknown) =>
  hasErrorCode(error, code);

/** Of an account that may do what this role says, and nothing when left out. */
async function kubeconfigOf(name: string, role?: string): Promise<string> {
  const account = { namespace: "default", name };
  await client.create(serviceAccounts, { metadata: account });
  if (role !== undefined) {
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: role };
    const subjects = [{ kind: "ServiceAccount", ...account }];
    await client.create(clusterRoleBindings, { metadata: { name }, subjects, roleRef });
  }
  const { status } = await client.createSubresource<{ status: { token: string } }>(
    serviceAccounts,
    { ...account, subresource: "token" },
    { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
  );
  const path = join(folder, `${name}.kubeconfig`);
  const administrator = readFileSync(kubeconfig, "utf8");
  const user = administrator.replace(/client-certificate-data: .*\n *client-key-data: .*/u, `token: ${status.token}`);
  writeFileSync(path, user, { mode: 0o600 });
  return path;
}

describe("stowage up --kubeconfig", () => {
  it("shows what it would make, and makes none of it", async () => {
    const { code, out } = await up({ dryRun: true });
    expect(code).toBe(0);
    expect(out).toContain(`  create Deployment ${operator.namespace}/${operator.name}\n`);
    expect(out).toContain("  create Deployment openshift-cluster-storage-operator/cluster-storage-operator\n");
    expect(out).toContain("nothing was changed");
    expect(await client.find(namespaces, { name: operator.namespace })).toBeUndefined();
  });

  it("changes nothing while nobody has agreed", async () => {
    await expect(up()).rejects.toSatisfy(withCode("UP_UNCONFIRMED"));
    await expect(up({ output: "json" }, "yes\n")).rejects.toSatisfy(withCode("UP_UNCONFIRMED"));
  });

  it("changes nothing when somebody says no", async () => {
    expect(await up({}, "no\n")).toMatchObject({ code: 1, err: "nothing was changed\n" });
    expect(await client.find(namespaces, { name: operator.namespace })).toBeUndefined();
  });

  it.each([
    ["reads nothing", undefined],
    ["may only look", "view"],
  ])("says it once when a user who %s has no right to install", async (_, role) => {
    const own = await kubeconfigOf(`user-${role ?? "nobody"}`, role);
    await expect(up({ kubeconfig: own, yes: true })).rejects.toSatisfy(withCode("UP_FORBIDDEN"));
    expect(await client.find(namespaces, { name: operator.namespace })).toBeUndefined();
  });

  it("refuses what cannot be meant", async () => {
    await expect(up({ image: undefined, yes: true })).rejects.toSatisfy(withCode("UP_OPTIONS"));
    await expect(up({ platform: "aws", yes: true })).rejects.toSatisfy(withCode("UP_OPTIONS"));
  });

  it("installs with the images that it is given when somebody says yes", async () => {
    const setImage = ["AWS_EBS_DRIVER_IMAGE=registry.test/ebs:1"];
    const { code, err } = await up({ setImage, platform: "local" }, "yes\n");
    expect(code).toBe(0);
    expect(err).toContain("installed in https://127.0.0.1");
    const { spec } = await client.get(deployments, operator);
    const [payload] = spec?.template.spec?.initContainers ?? [];
    expect(spec?.template.spec?.containers[0]?.image).toBe("registry.test/stowage:1");
    expect(payload?.env).toEqual(
      expect.arrayContaining([
        { name: "STOWAGE_PAYLOAD_PLATFORM", value: "local" },
        {
          name: "STOWAGE_PAYLOAD_SET_IMAGE",
          value: "VOLUME_DATA_SOURCE_VALIDATOR_IMAGE=,AWS_EBS_DRIVER_IMAGE=registry.test/ebs:1",
        },
      ]),
    );
  });

  it("keeps what is there, and shows what another image changes", async () => {
    const same = { platform: "local", setImage: ["AWS_EBS_DRIVER_IMAGE=registry.test/ebs:1"], dryRun: true } as const;
    const { out } = await up(same);
    expect(out).toContain(`  keep   Deployment ${operator.namespace}/${operator.name}\n`);
    const other = await up({ ...same, image: "registry.test/stowage:2" });
    const path = "spec.template.spec.containers[0].image";
    expect(other.out).toContain(
      `      - ${path}: "registry.test/stowage:1"\n      + ${path}: "registry.test/stowage:2"`,
    );
  });

  it("shows the objects themselves to programs", async () => {
    const { out } = await up({ dryRun: true, output: "json" });
    const { own, payload } = JSON.parse(out) as { own: { object: object }[]; payload: object[] };
    expect(own.map(({ object }) => object)).toContainEqual(expect.objectContaining({ kind: "Deployment" }));
    expect(payload.length).toBeGreaterThan(50);
  });
});
