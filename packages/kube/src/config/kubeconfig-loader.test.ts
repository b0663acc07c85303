import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encryptKey, issueCertificate, makeAuthority } from "../transport/fixtures/certificates.ts";
import { failureOf } from "./fixtures/failure.ts";
import { type TemporaryFiles, temporaryFiles } from "./fixtures/temporary-files.ts";
import { type LoadKubeconfigOptions, loadKubeconfig } from "./kubeconfig-loader.ts";

const authority = makeAuthority();
const client = issueCertificate(authority);
const otherClient = issueCertificate(authority);
const base64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

let files: TemporaryFiles;
beforeEach(() => {
  files = temporaryFiles();
});
afterEach(() => files[Symbol.dispose]());

const load = (options: Partial<LoadKubeconfigOptions> = {}) =>
  loadKubeconfig({ env: {}, homeDir: files.path, serviceAccountDir: `${files.path}/sa`, ...options });

interface Entries {
  readonly cluster?: object;
  readonly user?: object;
  readonly context?: object;
}

/** A kubeconfig with one context, `c`, as JSON, which is YAML as well. */
function kubeconfig({ cluster, user, context }: Entries = {}): string {
  return JSON.stringify({
    "current-context": "c",
    clusters: [{ name: "prod", cluster: { server: "https://api.example.com:6443", ...cluster } }],
    users: [{ name: "jane", user: user ?? {} }],
    contexts: [{ name: "c", context: { cluster: "prod", user: "jane", ...context } }],
  });
}

const loadEntries = (entries: Entries, env = {}) => load({ path: files.write("config", kubeconfig(entries)), env });

describe("where the configuration comes from", () => {
  it("is the file that was asked for", async () => {
    const path = files.write("mine", kubeconfig());
    expect(await load({ path, env: { KUBECONFIG: "/elsewhere" } })).toMatchObject({
      server: "https://api.example.com:6443",
      contextName: "c",
      namespace: "default",
      origin: path,
    });
  });

  it("is ~/.kube/config when nothing else was said", async () => {
    const path = files.write(".kube/config", kubeconfig());
    expect((await load()).origin).toBe(path);
  });

  it("is every file of KUBECONFIG that exists, merged", async () => {
    const first = files.write("1", "current-context: c\nclusters: [{name: prod, cluster: {server: 'https://first'}}]");
    const second = files.write("2", kubeconfig({ user: { token: "t" } }));
    const config = await load({ env: { KUBECONFIG: `/does/not/exist:${first}:${second}` } });
    expect(config).toMatchObject({
      server: "https://first",
      origin: `${first}, ${second}`,
      credentials: { token: "t" },
    });
  });

  it("is the service account of the Pod when there is no file", async () => {
    files.write("sa/token", "t");
    files.write("sa/ca.crt", authority.cert);
    files.write("sa/namespace", "storage\n");
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
    expect(await load({ env })).toEqual({
      server: "https://10.96.0.1:443",
      namespace: "storage",
      origin: `the service account of this Pod (${files.path}/sa)`,
      tls: { certificateAuthority: { kind: "file", path: `${files.path}/sa/ca.crt` } },
      credentials: { tokenFile: `${files.path}/sa/token` },
    });
    expect((await load({ env: { ...env, KUBERNETES_SERVICE_HOST: "fd00::1" } })).server).toBe("https://[fd00::1]:443");
    expect((await load({ env: { ...env, HTTPS_PROXY: "http://p:1" } })).proxy?.origin).toBe("HTTPS_PROXY");
  });

  it("finds the service account where a container without mounts was told that it is", async () => {
    files.write("elsewhere/token", "t");
    const env = {
      KUBERNETES_SERVICE_HOST: "10.96.0.1",
      KUBERNETES_SERVICE_PORT: "443",
      STOWAGE_SERVICE_ACCOUNT_DIR: `${files.path}/elsewhere`,
    };
    const { credentials } = await loadKubeconfig({ env, homeDir: files.path });
    expect(credentials).toEqual({ tokenFile: `${files.path}/elsewhere/token` });
  });

  it("prefers a kubeconfig over the service account", async () => {
    files.write("sa/token", "t");
    files.write(".kube/config", kubeconfig());
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
    expect((await load({ env })).server).toBe("https://api.example.com:6443");
  });

  it("is plain data that can be sent to a worker thread", async () => {
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "p",
      interactiveMode: "Never",
      provideClusterInfo: true,
    };
    const config = await loadEntries(
      { cluster: { "proxy-url": "http://p" }, user: { exec, as: "x" } },
      { PATH: "/bin" },
    );
    expect(structuredClone(config)).toEqual(config);
  });
});

describe("no configuration", () => {
  it("names the places that were looked at", async () => {
    const failure = await failureOf(load({ env: { KUBECONFIG: "/no/1:/no/2" } }));
    expect(failure.code).toBe("KUBECONFIG_NOT_FOUND");
    expect(failure.message).toContain("/no/1, /no/2");
  });

  it("names the explicit file", async () => {
    expect(await failureOf(load({ path: "/no/file" }))).toMatchObject({
      code: "KUBECONFIG_NOT_FOUND",
      message: "The kubeconfig /no/file does not exist.",
    });
  });

  it("says so of a directory", async () => {
    expect(await failureOf(load({ path: files.path }))).toMatchObject({
      code: "KUBECONFIG_INVALID",
      message: `The kubeconfig ${files.path} is a directory.`,
    });
  });

  it("says so of an empty file", async () => {
    const path = files.write("empty", "");
    expect((await failureOf(load({ path }))).code).toBe("KUBECONFIG_EMPTY");
    expect((await failureOf(load({ env: { KUBECONFIG: path } }))).message).toBe(
      `${path} is empty, and this is not a Pod.`,
    );
  });

  it("does not fall back to the Pod when a context was asked for", async () => {
    files.write("sa/token", "t");
    const env = { KUBERNETES_SERVICE_HOST: "10.96.0.1", KUBERNETES_SERVICE_PORT: "443" };
    expect((await failureOf(load({ env, context: "prod" }))).message).toContain('no context "prod"');
  });
});

describe("contexts", () => {
  const text = JSON.stringify({
    "current-context": "gone",
    clusters: [{ name: "prod", cluster: { server: "https://prod" } }, { name: "bare" }],
    users: [{ name: "jane", user: { token: "t" } }],
    contexts: [
      { name: "anonymous", context: { cluster: "prod", namespace: "apps" } },
      { name: "no-cluster", context: { cluster: "test" } },
      { name: "no-user", context: { cluster: "prod", user: "joe" } },
      { name: "unset" },
      { name: "no-server", context: { cluster: "bare" } },
    ],
  });

  it("can be chosen, and bring their namespace", async () => {
    const config = await load({ path: files.write("config", text), context: "anonymous" });
    expect(config).toMatchObject({
      server: "https://prod",
      namespace: "apps",
      contextName: "anonymous",
      credentials: {},
    });
  });

  it.each([
    [undefined, 'no context "gone", though current-context names it', "The contexts are: anonymous, no-cluster"],
    ["dev", 'no context "dev"', "The contexts are: anonymous, no-cluster"],
    [
      "no-cluster",
      'context "no-cluster" points at cluster "test", which does not exist',
      "The clusters are: prod, bare.",
    ],
    ["no-user", 'context "no-user" points at user "joe", which does not exist', "The users are: jane."],
    ["unset", 'context "unset" names no cluster', "The clusters are: prod, bare."],
  ])("that are wrong are named, with what there is: %s", async (context, message, nextStep) => {
    const failure = await failureOf(load({ path: files.write("config", text), context }));
    expect(failure.code).toBe("KUBECONFIG_CONTEXT_UNKNOWN");
    expect(failure.message).toContain(message);
    expect(failure.nextStep).toContain(nextStep);
  });

  it("must be set or asked for", async () => {
    const path = files.write("config", text.replace("current-context", "x"));
    expect((await failureOf(load({ path }))).message).toContain("does not set current-context");
  });

  it("need a cluster with a server", async () => {
    const failure = await failureOf(load({ path: files.write("config", text), context: "no-server" }));
    expect(failure).toMatchObject({
      code: "KUBECONFIG_EMPTY",
      message: `${files.path}/config: cluster "bare" has no server.`,
    });
  });
});

describe("the server", () => {
  it.each([
    ["https://host:6443/", "https://host:6443"],
    ["https://host/k8s/clusters/c-1/", "https://host/k8s/clusters/c-1"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["localhost:8080", "http://localhost:8080"],
    ["https://[fd00::1]:6443", "https://[fd00::1]:6443"],
  ])("%s is called as %s", async (server, expected) => {
    expect((await loadEntries({ cluster: { server } })).server).toBe(expected);
  });

  it("without a scheme is https when the cluster speaks of TLS", async () => {
    expect((await loadEntries({ cluster: { server: "host:6443", "tls-server-name": "x" } })).server).toBe(
      "https://host:6443",
    );
  });

  it.each(["ftp://host", "https://", "::not a url"])("%s is refused", async (server) => {
    expect((await failureOf(loadEntries({ cluster: { server } }))).code).toBe("KUBECONFIG_INVALID");
  });

  it("may not carry a password, which is not repeated", async () => {
    const failure = await failureOf(loadEntries({ cluster: { server: "https://me:s3cr3t@host" } }));
    expect(failure.code).toBe("KUBECONFIG_INVALID");
    expect(failure.message).not.toContain("s3cr3t");
  });
});

describe("the proxy", () => {
  it("is proxy-url, before the environment", async () => {
    const env = { HTTPS_PROXY: "http://env:1" };
    expect((await loadEntries({ cluster: { "proxy-url": "socks5://p:1080" } }, env)).proxy).toEqual({
      url: "socks5://p:1080",
      origin: 'proxy-url of cluster "prod"',
    });
    expect((await loadEntries({}, env)).proxy).toEqual({ url: "http://env:1", origin: "HTTPS_PROXY" });
  });

  it("must be of a known kind, and its password is not repeated", async () => {
    const failure = await failureOf(loadEntries({ cluster: { "proxy-url": "ftp://me:s3cr3t@p" } }));
    expect(failure.code).toBe("KUBECONFIG_PROXY_INVALID");
    expect(failure.message).not.toContain("s3cr3t");
  });
});

describe("certificates", () => {
  it("may stand inline or in files, and inline wins", async () => {
    files.write("ca.crt", authority.cert);
    files.write("client.crt", client.cert);
    const config = await loadEntries({
      cluster: { "certificate-authority": "ca.crt" },
      user: {
        "client-certificate": "client.crt",
        "client-certificate-data": base64(client.cert),
        "client-key-data": base64(client.key),
      },
    });
    expect(config.tls.certificateAuthority).toEqual({ kind: "file", path: `${files.path}/ca.crt` });
    expect(config.credentials.clientCertificate?.cert).toEqual({ kind: "inline", pem: client.cert });
  });

  it("may share one file with their key, as a kubelet keeps them", async () => {
    const both = files.write("both.pem", client.cert + client.key);
    await expect(loadEntries({ user: { "client-certificate": both, "client-key": both } })).resolves.toBeDefined();
  });

  it("may come in a bundle with other text", async () => {
    const bundle = `# first\n${authority.cert}\n# second\n${makeAuthority("other").cert}`;
    await expect(loadEntries({ cluster: { "certificate-authority-data": base64(bundle) } })).resolves.toBeDefined();
  });

  it.each<[string, Entries, string]>([
    [
      "bad base64",
      { cluster: { "certificate-authority-data": "%%%" } },
      'cluster "prod": certificate-authority-data is not base64',
    ],
    [
      "cut base64",
      { user: { "client-key-data": "abcde", "client-certificate-data": "abcd" } },
      'user "jane": client-key-data is not base64',
    ],
    ["a missing file", { cluster: { "certificate-authority": "no.crt" } }, "/no.crt does not exist"],
    [
      "not PEM",
      { cluster: { "certificate-authority-data": base64("hello") } },
      "certificate-authority-data holds no PEM certificate",
    ],
    [
      "a broken certificate",
      {
        cluster: {
          "certificate-authority-data": base64("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"),
        },
      },
      "holds no certificate that can be understood",
    ],
    [
      "no key",
      { user: { "client-certificate-data": base64(client.cert) } },
      "has a client certificate but no client key",
    ],
    [
      "no certificate",
      { user: { "client-key-data": base64(client.key) } },
      "has a client key but no client certificate",
    ],
    [
      "a key of another certificate",
      { user: { "client-certificate-data": base64(client.cert), "client-key-data": base64(otherClient.key) } },
      'user "jane": client-certificate-data and client-key-data do not belong together',
    ],
    [
      "an encrypted key",
      { user: { "client-certificate-data": base64(client.cert), "client-key-data": base64(encryptKey(client.key)) } },
      "encrypted by a passphrase",
    ],
    [
      "a key that is none",
      { user: { "client-certificate-data": base64(client.cert), "client-key-data": base64(client.cert) } },
      "client-key-data holds no PEM private key",
    ],
  ])("with %s are refused, naming the entry", async (_, entries, message) => {
    const failure = await failureOf(loadEntries(entries));
    expect(failure.code).toBe("KUBECONFIG_CERTIFICATE_INVALID");
    expect(failure.message).toContain(`${files.path}/config: `);
    expect(failure.message).toContain(message);
  });

  it("exclude insecure-skip-tls-verify", async () => {
    const cluster = { "certificate-authority-data": base64(authority.cert), "insecure-skip-tls-verify": true };
    expect((await failureOf(loadEntries({ cluster }))).code).toBe("KUBECONFIG_CONFLICT");
    const insecure = await loadEntries({ cluster: { "insecure-skip-tls-verify": true } });
    expect(insecure.tls.insecureSkipVerify).toBe(true);
  });
});

describe("users", () => {
  it.each(["gcp", "azure", "oidc", "own"])(
    "of the legacy auth-provider %s are told what to use instead",
    async (name) => {
      const failure = await failureOf(
        loadEntries({ user: { "auth-provider": { name, config: { "id-token": "s3cr3t" } } } }),
      );
      expect(failure.code).toBe("AUTH_PROVIDER_UNSUPPORTED");
      expect(failure.message).toContain(`user "jane" logs in through auth-provider "${name}"`);
      expect(failure.nextStep).toMatch(/plugin|kubelogin/);
    },
  );

  it("cannot have both a token and a password", async () => {
    const failure = await failureOf(loadEntries({ user: { token: "s3cr3t", username: "jane", password: "hidden" } }));
    expect(failure.code).toBe("KUBECONFIG_CONFLICT");
    expect(failure.message).not.toMatch(/s3cr3t|hidden/);
  });

  it("with a token that no header can hold are refused without repeating it", async () => {
    const failure = await failureOf(loadEntries({ user: { token: "s3cr3t token" } }));
    expect(failure.code).toBe("KUBECONFIG_INVALID");
    expect(failure.message).not.toContain("s3cr3t");
  });

  it("with a token file that is missing are named", async () => {
    const failure = await failureOf(loadEntries({ user: { tokenFile: "no-token" } }));
    expect(failure.code).toBe("CREDENTIAL_FILE_UNREADABLE");
    expect(failure.message).toContain(`user "jane": tokenFile ${files.path}/no-token does not exist`);
  });

  it("cannot impersonate a group without a user", async () => {
    expect((await failureOf(loadEntries({ user: { "as-groups": ["a"] } }))).code).toBe("KUBECONFIG_CONFLICT");
  });
});

describe("users of a credential plugin", () => {
  const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "plugin", interactiveMode: "IfAvailable" };

  it("give it the environment, with the entry's own variables on top", async () => {
    const user = { exec: { ...exec, args: ["x"], env: [{ name: "A", value: "own" }] } };
    const config = await loadEntries({ user }, { PATH: "/bin", A: "outer", UNSET: undefined });
    expect(config.credentials.exec).toMatchObject({ command: "plugin", args: ["x"], env: { PATH: "/bin", A: "own" } });
  });

  it("tell it about the cluster when asked to, with the authority as data", async () => {
    files.write("ca.crt", authority.cert);
    const extensions = [{ name: "client.authentication.k8s.io/exec", extension: { audience: "x" } }];
    const cluster = { "certificate-authority": "ca.crt", "tls-server-name": "n", "proxy-url": "http://p", extensions };
    const config = await loadEntries({ cluster, user: { exec: { ...exec, provideClusterInfo: true } } });
    expect(config.credentials.exec?.cluster).toEqual({
      server: "https://api.example.com:6443",
      "tls-server-name": "n",
      "proxy-url": "http://p",
      "certificate-authority-data": base64(authority.cert),
      config: { audience: "x" },
    });
  });

  it("do not need it when they have other credentials", async () => {
    expect((await loadEntries({ user: { exec, token: "t" } })).credentials.exec).toBeUndefined();
  });

  it("may leave interactiveMode out in v1beta1 only", async () => {
    const old = { apiVersion: "client.authentication.k8s.io/v1beta1", command: "plugin" };
    expect((await loadEntries({ user: { exec: old } })).credentials.exec?.interactiveMode).toBe("IfAvailable");
    const failure = await failureOf(loadEntries({ user: { exec: { ...exec, interactiveMode: undefined } } }));
    expect(failure.message).toContain("exec.interactiveMode is missing");
  });

  it.each([
    [{ ...exec, command: undefined }, "exec.command is missing"],
    [{ ...exec, apiVersion: undefined }, "exec.apiVersion is missing"],
    [
      { ...exec, apiVersion: "client.authentication.k8s.io/v1alpha1" },
      "exec.apiVersion is client.authentication.k8s.io/v1alpha1",
    ],
    [{ ...exec, interactiveMode: "Sometimes" }, "exec.interactiveMode is Sometimes"],
  ])("are told what is wrong with the entry", async (broken, message) => {
    const failure = await failureOf(loadEntries({ user: { exec: broken } }));
    expect(failure.code).toBe("KUBECONFIG_INVALID");
    expect(failure.message).toContain(`user "jane": ${message}`);
  });
});
