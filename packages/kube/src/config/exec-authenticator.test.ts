import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { issueCertificate, makeAuthority } from "../transport/fixtures/certificates.ts";
import type { ExecPluginConfig } from "./connection-config.ts";
import { ExecAuthenticator } from "./exec-authenticator.ts";
import type { ExecPluginRun } from "./exec-plugin.ts";
import { failureOf } from "./fixtures/failure.ts";
import { type ManualClock, manualClock } from "./fixtures/manual-clock.ts";
import { type TemporaryFiles, temporaryFiles } from "./fixtures/temporary-files.ts";

const apiVersion = "client.authentication.k8s.io/v1";

let files: TemporaryFiles;
let clock: ManualClock;
let heard: string;
beforeEach(() => {
  files = temporaryFiles();
  clock = manualClock();
  heard = "";
});
afterEach(() => files[Symbol.dispose]());

function authenticator(
  script: string,
  config: Partial<ExecPluginConfig> = {},
  run: Partial<ExecPluginRun> = {},
): ExecAuthenticator {
  const plugin: ExecPluginConfig = {
    apiVersion,
    command: files.script("plugin", script),
    args: [],
    env: { PATH: "/usr/bin:/bin" },
    interactiveMode: "IfAvailable",
    ...config,
  };
  const onStderr = (text: string) => {
    heard += text;
  };
  return new ExecAuthenticator(plugin, { isInteractive: false, timeoutMs: 10_000, onStderr, ...run }, clock);
}

/** A script that prints an ExecCredential; in `status`, $n is how often it has run. */
function printing(status: object, version: string = apiVersion): string {
  const document = JSON.stringify({ apiVersion: version, kind: "ExecCredential", status });
  return `echo run >>${files.path}/runs; n=$(wc -l <${files.path}/runs)
cat <<END
${document}
END`;
}

const runs = () => readFileSync(`${files.path}/runs`, "utf8").split("\n").length - 1;

describe("a credential plugin", () => {
  it("gives a token, which is kept", async () => {
    const plugin = authenticator(printing({ token: "token-$n" }));
    expect(await plugin.headers()).toEqual({ authorization: "Bearer token-1" });
    expect(await plugin.headers()).toEqual({ authorization: "Bearer token-1" });
    expect(await plugin.clientCertificate()).toBeUndefined();
    expect(runs()).toBe(1);
  });

  it("is run once for callers at the same time", async () => {
    const plugin = authenticator(printing({ token: "token-$n" }));
    await Promise.all([plugin.headers(), plugin.headers(), plugin.clientCertificate()]);
    expect(runs()).toBe(1);
  });

  it("is run again when its credential expires", async () => {
    const expirationTimestamp = new Date(clock.nowMs() + 60_000).toISOString();
    const plugin = authenticator(printing({ token: "token-$n", expirationTimestamp }));
    await plugin.headers();
    clock.advance(59_000);
    expect(await plugin.headers()).toEqual({ authorization: "Bearer token-1" });
    clock.advance(2_000);
    expect(await plugin.headers()).toEqual({ authorization: "Bearer token-2" });
  });

  it("is run again when the server refused its credential", async () => {
    const plugin = authenticator(printing({ token: "token-$n" }));
    await plugin.headers();
    plugin.invalidate();
    expect(await plugin.headers()).toEqual({ authorization: "Bearer token-2" });
  });

  it("can give a client certificate", async () => {
    const { cert, key } = issueCertificate(makeAuthority());
    const plugin = authenticator(printing({ clientCertificateData: cert, clientKeyData: key }));
    expect(await plugin.clientCertificate()).toEqual({ cert, key });
    expect(await plugin.headers()).toEqual({});
  });

  it("speaks v1beta1 as well", async () => {
    const beta = "client.authentication.k8s.io/v1beta1";
    const plugin = authenticator(printing({ token: "t" }, beta), { apiVersion: beta });
    expect(await plugin.headers()).toEqual({ authorization: "Bearer t" });
  });

  it("gets its arguments, its environment and KUBERNETES_EXEC_INFO", async () => {
    const script = `printf '%s' "$KUBERNETES_EXEC_INFO" >${files.path}/info; echo "$* $A" >${files.path}/call\n`;
    const plugin = authenticator(script + printing({ token: "t" }), {
      args: ["get-token", "two words"],
      env: { PATH: "/usr/bin:/bin", A: "value" },
      cluster: { server: "https://host", config: { audience: "x" } },
    });
    await plugin.headers();
    expect(readFileSync(`${files.path}/call`, "utf8")).toBe("get-token two words value\n");
    expect(JSON.parse(readFileSync(`${files.path}/info`, "utf8"))).toEqual({
      apiVersion,
      kind: "ExecCredential",
      spec: { cluster: { server: "https://host", config: { audience: "x" } }, interactive: false },
    });
  });

  it("is heard on its standard error", async () => {
    await authenticator(`echo please log in >&2\n${printing({ token: "t" })}`).headers();
    expect(heard).toBe("please log in\n");
  });
});

describe("a credential plugin that fails", () => {
  it("is named with its exit code, and can be tried again", async () => {
    const plugin = authenticator(
      `test -e ${files.path}/fixed || { echo s3cr3t; exit 3; }\n${printing({ token: "t" })}`,
    );
    const failure = await failureOf(plugin.headers());
    expect(failure.code).toBe("CREDENTIAL_PLUGIN_FAILED");
    expect(failure.message).toContain("/plugin failed with exit code 3");
    expect(failure.message).not.toContain("s3cr3t");
    files.write("fixed", "");
    expect(await plugin.headers()).toEqual({ authorization: "Bearer t" });
  });

  it("gives its install hint when it is not installed", async () => {
    const plugin = authenticator("", {
      command: "no-such-plugin",
      args: ["--secret=s3cr3t"],
      installHint: "Run brew install it.",
    });
    const failure = await failureOf(plugin.headers());
    expect(failure).toMatchObject({ code: "CREDENTIAL_PLUGIN_NOT_FOUND", nextStep: "Run brew install it." });
    expect(`${failure.message}${String(failure.cause)}`).not.toContain("s3cr3t");
  });

  it("is said to be no program when it may not be executed", async () => {
    const failure = await failureOf(authenticator("", { command: files.write("text", "") }).headers());
    expect(failure.message).toContain("may not be executed");
  });

  it("is ended when it takes too long, even when a child of it holds on to its output", async () => {
    // As long as the test: whoever waited for the end of either would never be done.
    const last = `while test -e ${files.path}; do sleep 0.1; done`;
    const failure = await failureOf(authenticator(`${last} & ${last}`, {}, { timeoutMs: 200 }).headers());
    expect(failure.message).toContain("did not finish within 0.2 s");
  });

  it("needs a terminal when it says so", async () => {
    const failure = await failureOf(authenticator("", { interactiveMode: "Always" }).headers());
    expect(failure.message).toContain("needs a terminal");
  });

  it.each([
    ["echo", "printed nothing"],
    ["echo s3cr3t", "did not print JSON"],
    ["echo 7", "did not print a JSON object"],
    ["echo '{}'", "something other than an ExecCredential"],
    [`echo '{"kind":"ExecCredential","apiVersion":"v2"}'`, "another apiVersion than client.authentication.k8s.io/v1"],
    [`echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}"}'`, "without a status"],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{}}'`,
      "neither a token nor a client certificate",
    ],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":7}}'`,
      "a token that is not a string",
    ],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"s3cr3t x"}}'`,
      "a token with spaces",
    ],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"clientKeyData":"s3cr3t"}}'`,
      "only one of",
    ],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"clientKeyData":"s3cr3t","clientCertificateData":"x"}}'`,
      "holds no PEM certificate",
    ],
    [
      `echo '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"t","expirationTimestamp":"soon"}}'`,
      "an expirationTimestamp that is not",
    ],
  ])("by printing %s is told what is wrong, without its output", async (script, message) => {
    const failure = await failureOf(authenticator(script).headers());
    expect(failure.code).toBe("CREDENTIAL_PLUGIN_OUTPUT_INVALID");
    expect(failure.message).toContain(message);
    expect(`${failure.stack}`).not.toContain("s3cr3t");
    expect(failure.cause).toBeUndefined();
  });
});
