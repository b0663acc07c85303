import { describe, expect, it } from "vitest";
import type { Command } from "../command.ts";
import { runProgram } from "../program.ts";
import { type RbacProxyOptions, rbacProxyOptions, rbacProxyProblem } from "./rbac-proxy-options.ts";

const usual = ["--secure-listen-address=0.0.0.0:9202", "--upstream=http://127.0.0.1:8202/"];

/** The options as the command gets them, from arguments as manifests have them. */
async function parsed(words: readonly string[]): Promise<RbacProxyOptions> {
  let found: unknown;
  const command: Command = {
    name: "rbac-proxy",
    summary: "",
    positional: [],
    options: rbacProxyOptions,
    run: async (_context, options) => {
      found = options;
      return 0;
    },
  };
  const terminal = { out() {}, err() {} };
  const code = await runProgram({ commands: [command], terminal, contextFor: () => ({}) as never }, [
    "rbac-proxy",
    ...words,
  ]);
  expect(code).toBe(0);
  return found as RbacProxyOptions;
}

describe("the flags of a manifest written for kube-rbac-proxy", () => {
  it("are taken", async () => {
    const options = await parsed([
      ...usual,
      "--tls-cert-file=/etc/tls/private/tls.crt",
      "--tls-private-key-file=/etc/tls/private/tls.key",
      "--tls-cipher-suites=TLS_AES_128_GCM_SHA256,TLS_AES_256_GCM_SHA384",
      "--tls-min-version=VersionTLS12",
      "--logtostderr=true",
      "--v=2",
    ]);
    expect(options).toMatchObject({
      upstream: "http://127.0.0.1:8202/",
      tlsReloadInterval: 60_000,
      http2Disable: false,
    });
    expect(options.tlsCipherSuites).toEqual(["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"]);
    expect(rbacProxyProblem(options)).toBeUndefined();
  });

  it("may be given again where they are lists, and be empty", async () => {
    const options = await parsed([...usual, "--ignore-paths=/a, /b", "--ignore-paths=/c", "--tls-cipher-suites="]);
    expect([options.ignorePaths, options.tlsCipherSuites]).toEqual([["/a", "/b", "/c"], []]);
  });

  it.each([
    [[usual[0] ?? ""], "--upstream says"],
    [[usual[1] ?? ""], "--secure-listen-address says"],
    [[...usual, "--allow-paths=/a", "--ignore-paths=/b"], "cannot be used together"],
    [[...usual, "--tls-cert-file=/a"], "--tls-private-key-file go together"],
    [[...usual, "--upstream-client-key-file=/a"], "--upstream-client-key-file go together"],
    [["--insecure-listen-address=:80", usual[1] ?? "", "--proxy-endpoints-port=81"], "needs the host"],
  ])("are refused as %j", async (words, problem) => {
    expect(rbacProxyProblem(await parsed(words))).toContain(problem);
  });
});
