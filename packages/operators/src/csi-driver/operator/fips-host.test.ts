import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isFipsHost } from "./fips-host.ts";

const folder = mkdtempSync(join(tmpdir(), "fips-"));
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ["1\n", true],
  ["0\n", false],
  [undefined, false],
])("a kernel that says %j keeps to FIPS: %s", (text, expected) => {
  const path = join(folder, text === undefined ? "missing" : "fips_enabled");
  if (text !== undefined) writeFileSync(path, text);
  expect(isFipsHost(path)).toBe(expected);
});
