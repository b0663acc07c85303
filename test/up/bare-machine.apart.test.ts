import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BareMachine, olderNode } from "./bare-machine/bare-machine.ts";
import { leftOf } from "./stowage-up/machine-state.ts";

// README's two commands where there is an older Node, npm and git, and nothing else: no Go, no kubectl, no root. The sources are cloned as
// they are. It takes a minute, half of it npm's. Of `npm test` a part is typed: all of it takes five minutes.

const PATIENCE_MS = 600_000;
const node = olderNode();

// To become somebody without rights takes somebody with all of them.
const canBe = process.getuid?.() === 0 && node !== undefined;

describe.skipIf(!canBe)("a machine with Node before 24 alone (needs root to get there, and such a Node)", () => {
  let machine: BareMachine;

  beforeAll(() => {
    machine = new BareMachine(node ?? "");
  });
  afterAll(async () => {
    await machine?.type("npx stowage reset").ended();
    machine?.[Symbol.dispose]();
  }, PATIENCE_MS);

  it("has nothing of what the lab needs, and its user no rights", async () => {
    const typed = "node --version; id --user; command -v go kubectl sudo";
    const { printed } = await machine.type(typed, machine.home).ended();
    expect(printed).toMatch(/^v(?:18|20|22)\.\d+\.\d+\n65534\n$/u);
  });

  it(
    "has a Pod that has written to its volume after git clone and npm start, and stops by stowage down",
    async () => {
      const cloned = await machine.type(`git clone --quiet ${machine.origin} ${machine.clone}`, machine.home).ended();
      expect(cloned).toEqual({ exitCode: 0, printed: "" });
      const start = machine.type("npm start");
      await start.said("Storage works.");
      const volumes = join(machine.home, ".stowage/cluster/cluster/nodes/node-1/disk/local/contents");
      const files = readdirSync(volumes, { recursive: true, withFileTypes: true }).filter(({ name }) => name === "log");
      expect(files.map(({ parentPath, name }) => statSync(join(parentPath, name)).size > 0)).toEqual([true]);
      expect(await machine.type("npx stowage down").ended()).toMatchObject({ exitCode: 0 });
      expect((await start.ended()).exitCode).toBe(0);
      expect(leftOf(machine.folder)).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    "passes what it is asked to test",
    async () => {
      const { exitCode, printed } = await machine
        .type("npm test -- packages/machinery/src/quantity test/e2e/command-line")
        .ended();
      expect(printed).toMatch(/^\d+ passed, 0 failed$/mu);
      expect(exitCode).toBe(0);
    },
    PATIENCE_MS,
  );
});
