import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DaemonSet, Deployment } from "@stowage/machinery";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fittedDriver } from "../../fixtures/fitted-driver.ts";

/** The scripts that make the SDK's file of a Secret, run by a real shell; one place of theirs is another here. */
function scriptOf({ spec }: Deployment | DaemonSet, folder: string): string {
  const [shell, flag, script = ""] = spec?.template.spec?.initContainers?.[0]?.command ?? [];
  expect([shell, flag]).toEqual(["sh", "-c"]);
  expect(script).toContain("/var/run/aws/");
  return script.replaceAll("/var/run/aws/", `${folder}/`);
}

const [ebs, efs] = [await fittedDriver("aws-ebs"), await fittedDriver("aws-efs")];

describe.each([
  ["the controller of EBS", ebs.controller, [1, "", "the Secret has neither credentials nor"]],
  ["the controller of EFS", efs.controller, [1, "", "the Secret has neither credentials nor"]],
  ["the nodes of EFS", efs.node, [0, "there are no credentials for nodes", ""]],
] as const)("for %s", (_name, workload, [status, out, err]) => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "aws-keys-"));
    for (const name of ["keys", "auth"]) mkdirSync(join(folder, name));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const run = (keys: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(keys)) writeFileSync(join(folder, "keys", name), value);
    return spawnSync("sh", ["-c", scriptOf(workload, folder)], { encoding: "utf8" });
  };
  const target = () => join(folder, "auth", "credentials");

  test.each([
    ["a file is taken as it is", { credentials: "[default]\nrole_arn = r\n" }, "[default]\nrole_arn = r\n"],
    [
      "the file goes before keys",
      { credentials: "[default]\n", aws_access_key_id: "id", aws_secret_access_key: "s3cr3t" },
      "[default]\n",
    ],
    [
      "keys become a file",
      { aws_access_key_id: "id", aws_secret_access_key: "s3cr3t/+=$x" },
      "[default]\naws_access_key_id=id\naws_secret_access_key=s3cr3t/+=$x\n",
    ],
  ])("%s, that nobody else can read, and nothing of it is printed", (_case, keys, expected) => {
    const { stdout, stderr } = run(keys);
    expect(readFileSync(target(), "utf8")).toBe(expected);
    expect(statSync(target()).mode & 0o077).toBe(0);
    expect(stdout + stderr).not.toContain("s3cr3t");
  });

  test("a Secret with one key alone is as good as none", () => {
    const ended = run({ aws_access_key_id: "id" });
    expect(ended).toMatchObject({ status, stdout: expect.stringContaining(out), stderr: expect.stringContaining(err) });
    expect(existsSync(target())).toBe(false);
  });
});
