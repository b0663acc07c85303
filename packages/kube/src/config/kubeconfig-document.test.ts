import { describe, expect, it } from "vitest";
import { failureOf } from "./fixtures/failure.ts";
import { parseKubeconfig } from "./kubeconfig-document.ts";

const file = "/etc/kubeconfig";
const parse = (text: string) => parseKubeconfig(text, file);

describe("a kubeconfig document", () => {
  it("reads clusters, users, contexts and the current context", () => {
    const config = parse(`
apiVersion: v1
kind: Config
current-context: prod
clusters:
- name: c
  cluster: {server: "https://h:6443", tls-server-name: n, insecure-skip-tls-verify: true, proxy-url: "http://p", disable-compression: true}
contexts:
- {name: prod, context: {cluster: c, user: u, namespace: ns}}
users:
- {name: u, user: {token: t}}
`);
    expect(config.currentContext).toBe("prod");
    expect(config.clusters.get("c")).toMatchObject({
      file,
      server: "https://h:6443",
      tlsServerName: "n",
      insecureSkipTlsVerify: true,
      proxyUrl: "http://p",
      disableCompression: true,
    });
    expect(config.contexts.get("prod")).toEqual({ file, cluster: "c", user: "u", namespace: "ns" });
    expect(config.users.get("u")?.token).toBe("t");
  });

  it("is understood as JSON, too", () => {
    expect(parse('{"clusters":[{"name":"c","cluster":{"server":"https://h"}}]}').clusters.get("c")?.server).toBe(
      "https://h",
    );
  });

  it.each(["0123", "1e5", "true", "0x10", "2026-01-01", "12345678901234567890"])(
    "keeps the token %s as it stands",
    (token) => {
      expect(parse(`users: [{name: u, user: {token: ${token}}}]`).users.get("u")?.token).toBe(token);
    },
  );

  it.each(["", "# nothing\n", "---\n", "{}", "clusters:\nusers: null\n"])(
    "takes %j for an empty configuration",
    (text) => {
      const config = parse(text);
      expect(config.clusters.size + config.users.size + config.contexts.size).toBe(0);
    },
  );

  it("reads everything that a plugin needs", () => {
    const config = parse(`
users:
- name: u
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: plugin
      args: [get-token, --port, 8080]
      env: [{name: A, value: "1"}, {name: EMPTY, value: ""}]
      interactiveMode: Never
      installHint: brew install plugin
      provideClusterInfo: true
`);
    expect(config.users.get("u")?.exec).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      command: "plugin",
      args: ["get-token", "--port", "8080"],
      env: [
        { name: "A", value: "1" },
        { name: "EMPTY", value: "" },
      ],
      interactiveMode: "Never",
      installHint: "brew install plugin",
      provideClusterInfo: true,
    });
  });

  it("keeps numbers and booleans in the extension for plugins", () => {
    const config = parse(`
clusters:
- name: c
  cluster:
    server: https://h
    extensions:
    - {name: other, extension: {}}
    - {name: client.authentication.k8s.io/exec, extension: {audience: x, ttl: 60, strict: true}}
`);
    expect(config.clusters.get("c")?.execExtension).toEqual({ audience: "x", ttl: 60, strict: true });
  });

  it("reads whom to impersonate", () => {
    const user = parse(
      "users: [{name: u, user: {as: jane, as-uid: 7, as-groups: [a, b], as-user-extra: {scopes: [view, edit]}}}]",
    ).users.get("u");
    expect(user).toMatchObject({
      impersonate: "jane",
      impersonateUid: "7",
      impersonateGroups: ["a", "b"],
      impersonateExtra: { scopes: ["view", "edit"] },
    });
  });
});

describe("a mistake in a kubeconfig document", () => {
  it.each([
    ["- a\n- b", "the document must be a map, but is a list"],
    ["just text", "the document must be a map, but is a plain value"],
    ["clusters: {name: c}", "clusters must be a list, but is a map"],
    ["clusters: [text]", "clusters[0] must be a map, but is a plain value"],
    ["clusters: [{name: c, cluster: [1]}]", "clusters[0].cluster must be a map, but is a list"],
    ["clusters: [{name: c, cluster: {server: [x]}}]", "clusters[0].cluster.server must be a string, but is a list"],
    [
      "clusters: [{name: c, cluster: {insecure-skip-tls-verify: perhaps}}]",
      "insecure-skip-tls-verify must be true or false",
    ],
    ["users: [{name: u}, {user: {}}]", "users[1].name is missing"],
    ["users: [{name: u}, {name: u}]", 'users[1].name is "u", which an earlier entry of users has already'],
    ["users: [{name: u, user: {as-groups: x}}]", "users[0].user.as-groups must be a list, but is a plain value"],
    ["users: [{name: u, user: {exec: {env: [{value: x}]}}}]", "users[0].user.exec.env[0].name is missing"],
    ["kind: Pod", "kind is Pod, but a kubeconfig has kind Config"],
    ["a: 1\n---\nb: 2", "holds 2 YAML documents"],
    ["a: b: c", "is not YAML"],
  ])("is named with its place: %j", async (text, message) => {
    const failure = await failureOf(() => parse(text));
    expect(failure.code).toBe("KUBECONFIG_INVALID");
    expect(failure.message).toContain(message);
    expect(failure.message).toContain(file);
  });

  it("is given with line and column, and without the text around it, which may be secret", async () => {
    const failure = await failureOf(() => parse("users:\n- name: u\n  user:\n    token: s3cr3t\n   oops: [\n"));
    expect(failure.message).toMatch(/line \d+, column \d+/);
    expect(failure.cause).toBeUndefined();
    expect(`${failure.message}${failure.stack}`).not.toContain("s3cr3t");
  });
});
