import { expect, it } from "vitest";
import { controllersIn } from "./conditions-page.ts";

it("reads of a controller's comment what it watches and which conditions it writes", () => {
  const text = `
/** Nothing about conditions. */
export function other() {}

/**
 * Keeps something. Watches: the Storage,
 * nodes. Owns: nothing. Writes conditions: \`ADegraded\`, also when
 * it fails. Deletes: nothing.
 */
export function keeper() {}
`;
  expect(controllersIn(text)).toEqual([
    { name: "keeper", watches: "the Storage, nodes", writes: "`ADegraded`, also when it fails" },
  ]);
});
