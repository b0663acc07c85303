import { expect, it } from "vitest";
import { SharedBytes } from "./shared-bytes.ts";

it("a text is encoded once for all who are sent it, and forgotten when many others have come", () => {
  const shared = new SharedBytes();
  const bytes = shared.of("ä");
  expect(bytes.toString()).toBe("ä");
  expect(shared.of("ä")).toBe(bytes);
  for (let n = 0; n < 100; n++) shared.of(String(n));
  expect(shared.of("ä")).not.toBe(bytes);
  expect(shared.of("ä")).toEqual(bytes);
});
