import { rmSync } from "node:fs";
import { silentLogger } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { issueCertificate, makeAuthority } from "../transport/fixtures/certificates.ts";
import type { Authenticator } from "./authenticator.ts";
import type { CredentialsConfig } from "./connection-config.ts";
import { createAuthenticator } from "./create-authenticator.ts";
import { readTextFile } from "./file-reader.ts";
import { failureOf } from "./fixtures/failure.ts";
import { type ManualClock, manualClock } from "./fixtures/manual-clock.ts";
import { type TemporaryFiles, temporaryFiles } from "./fixtures/temporary-files.ts";

let files: TemporaryFiles;
let clock: ManualClock;
let warnings: string[];
beforeEach(() => {
  files = temporaryFiles();
  clock = manualClock();
  warnings = [];
});
afterEach(() => files[Symbol.dispose]());

function authenticate(credentials: CredentialsConfig): Authenticator {
  const logger = { ...silentLogger, warn: (_: object, message: string) => void warnings.push(message) };
  return createAuthenticator(credentials, {
    clock,
    logger,
    readFile: readTextFile,
    plugin: { isInteractive: false, timeoutMs: 10_000 },
  });
}

describe("credentials", () => {
  it("can be none", async () => {
    expect(await authenticate({}).headers()).toEqual({});
    expect(await authenticate({}).clientCertificate()).toBeUndefined();
  });

  it("can be a token", async () => {
    expect(await authenticate({ token: "t" }).headers()).toEqual({ authorization: "Bearer t" });
  });

  it("can be a user and password", async () => {
    const basic = { username: "jane", password: "pä:ss" };
    const expected = Buffer.from("jane:pä:ss", "utf8").toString("base64");
    expect(await authenticate({ basic }).headers()).toEqual({ authorization: `Basic ${expected}` });
  });

  it("can act as somebody else, with groups as repeated headers", async () => {
    const impersonate = { user: "järn", uid: "7", groups: ["a", "b"], extra: { "example.com/Scopes": ["x", "y"] } };
    expect(await authenticate({ token: "t", impersonate }).headers()).toEqual({
      authorization: "Bearer t",
      "impersonate-user": Buffer.from("järn", "utf8").toString("latin1"),
      "impersonate-uid": "7",
      "impersonate-group": ["a", "b"],
      "impersonate-extra-example.com%2Fscopes": ["x", "y"],
    });
  });
});

describe("a token file", () => {
  it("is read again after a minute", async () => {
    const tokenFile = files.write("token", "one\n");
    const authenticator = authenticate({ tokenFile });
    expect(await authenticator.headers()).toEqual({ authorization: "Bearer one" });
    files.write("token", "two\n");
    clock.advance(59_000);
    expect(await authenticator.headers()).toEqual({ authorization: "Bearer one" });
    clock.advance(2_000);
    expect(await authenticator.headers()).toEqual({ authorization: "Bearer two" });
  });

  it("is read again at once when the server refused its token", async () => {
    const authenticator = authenticate({ tokenFile: files.write("token", "one") });
    await authenticator.headers();
    files.write("token", "two");
    authenticator.invalidate();
    expect(await authenticator.headers()).toEqual({ authorization: "Bearer two" });
  });

  it("that cannot be read again leaves the last token in use, with a warning", async () => {
    const tokenFile = files.write("token", "one");
    const authenticator = authenticate({ tokenFile });
    await authenticator.headers();
    rmSync(tokenFile);
    clock.advance(61_000);
    expect(await authenticator.headers()).toEqual({ authorization: "Bearer one" });
    expect(warnings).toHaveLength(1);
  });

  it("wins over a token beside it, which serves when the file cannot be read", async () => {
    const tokenFile = files.write("token", "from-file");
    expect(await authenticate({ token: "inline", tokenFile }).headers()).toEqual({ authorization: "Bearer from-file" });
    const missing = authenticate({ token: "inline", tokenFile: "/no/such/file" });
    expect(await missing.headers()).toEqual({ authorization: "Bearer inline" });
  });

  it.each([
    ["", "is empty"],
    ["two words s3cr3t", "does not hold a token"],
  ])("with %j is refused without repeating it", async (text, message) => {
    const failure = await failureOf(authenticate({ tokenFile: files.write("token", text) }).headers());
    expect(failure.code).toBe("CREDENTIAL_FILE_UNREADABLE");
    expect(failure.message).toContain(message);
    expect(failure.message).not.toContain("s3cr3t");
  });
});

describe("a client certificate in files", () => {
  const authority = makeAuthority();
  const first = issueCertificate(authority, { commonName: "first" });
  const second = issueCertificate(authority, { commonName: "second" });

  function inFiles(): Authenticator {
    const cert = { kind: "file", path: files.write("crt", first.cert) } as const;
    const key = { kind: "file", path: files.write("key", first.key) } as const;
    return authenticate({ clientCertificate: { cert, key } });
  }

  it("stays the same object until it changes", async () => {
    const authenticator = inFiles();
    const before = await authenticator.clientCertificate();
    clock.advance(61_000);
    expect(await authenticator.clientCertificate()).toBe(before);
    files.write("crt", second.cert);
    files.write("key", second.key);
    clock.advance(61_000);
    const after = await authenticator.clientCertificate();
    expect(after?.cert.trim()).toBe(second.cert.trim());
    expect(after?.key.trim()).toBe(second.key.trim());
  });

  it("keeps the former pair while only one of the two files has been replaced", async () => {
    const authenticator = inFiles();
    const before = await authenticator.clientCertificate();
    files.write("crt", second.cert);
    authenticator.invalidate();
    expect(await authenticator.clientCertificate()).toBe(before);
    files.write("key", second.key);
    const after = await authenticator.clientCertificate();
    expect(after?.cert.trim()).toBe(second.cert.trim());
  });

  it("warns when it has expired, since the server will only say 401", async () => {
    const authenticator = inFiles();
    clock.advance(10 * 24 * 3_600_000);
    await authenticator.clientCertificate();
    expect(warnings).toEqual(["The client certificate has expired"]);
  });
});
