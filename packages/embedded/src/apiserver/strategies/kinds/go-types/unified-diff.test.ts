import { describe, expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const text = (lines: readonly string[]) => lines.join("\n");

describe("a difference of texts", () => {
  it("is empty when there is none", () => {
    expect(unifiedDiff("a\nb", "a\nb")).toBe("");
  });

  it("has three lines around each change", () => {
    const before = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const after = before.with(4, "E");
    expect(unifiedDiff(text(before), text(after))).toBe("@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n");
  });

  it("of long texts begins at lines that are rare in them, so that what they are full of does not pull them apart", () => {
    const blocks = (names: readonly string[]) => names.flatMap((name) => [`{ ${name}`, "null,", "null,", "},"]);
    const names = Array.from({ length: 60 }, (_, index) => `block ${index}`);
    const diff = unifiedDiff(text(blocks(names)), text(blocks(names.toSpliced(30, 1))));
    expect(diff).toBe(
      "@@ -118,10 +118,6 @@\n null,\n null,\n },\n-{ block 30\n-null,\n-null,\n-},\n { block 31\n null,\n null,\n",
    );
  });
});
