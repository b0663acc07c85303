import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ianaCipherName, tlsProfiles } from "@stowage/machinery";
import { expect, it } from "vitest";

/** OpenSSL's name -> IANA's, as OpenSSL tells it of all that it was built with, weak ones too. */
async function openSslNames(): Promise<Map<string, string>> {
  const { stdout } = await promisify(execFile)("openssl", ["ciphers", "-stdname", "ALL:COMPLEMENTOFALL:@SECLEVEL=0"]);
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.split(/\s+/u));
  return new Map(rows.map(([standard = "", , own = ""]) => [own, standard]));
}

it("names ciphers as OpenSSL does", async () => {
  const names = await openSslNames();
  const known = [...names].filter(([own]) => ianaCipherName(own) !== undefined);
  expect(known.length).toBeGreaterThanOrEqual(25);
  for (const [own, standard] of known) expect(ianaCipherName(own), own).toBe(standard);
});

it("has no cipher in a profile that OpenSSL does not know, but triple DES, which most builds leave out", async () => {
  const names = await openSslNames();
  const unknown = tlsProfiles.Old.ciphers.filter((name) => !names.has(name));
  expect(unknown.filter((name) => name !== "DES-CBC3-SHA")).toEqual([]);
});
