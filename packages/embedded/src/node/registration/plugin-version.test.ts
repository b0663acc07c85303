import { expect, it } from "vitest";
import { highestSupportedVersion } from "./plugin-version.ts";

it.each([
  [["1.0.0"], "1.0.0"],
  [["1.0.0", "1.10.0", "1.9.3"], "1.10.0"],
  [["v1.3"], "1.3.0"],
  [["0.3.0", "1.1.0", "2.0.0"], "1.1.0"],
  [["0.3.0"], undefined],
  [["2.0.0"], undefined],
  [["1.0.0", "newest"], undefined],
  [[], undefined],
])("of %j it is %s", (versions, highest) => {
  expect(highestSupportedVersion(versions)).toBe(highest);
});
