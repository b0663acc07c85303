import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../mock/fixtures/temporary-folder.ts";
import { writeDurably } from "./durable-file.ts";

it("fails in the same words at each try", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "missing", "record.json");
  const refused = `ENOENT: no such file or directory, open '${path}'`;
  for (let tries = 0; tries < 2; tries++) {
    await expect(writeDurably(path, "{}", async () => {})).rejects.toThrow(
      expect.objectContaining({ message: refused, code: "ENOENT" }),
    );
  }
});
