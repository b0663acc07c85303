#!/usr/bin/env node
// `npx stowage` in a checkout: sets up what is missing, then runs the command under Node 24.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runUnderNode24 } from "../../../bootstrap/hand-over.js";
import { setUp } from "../../../bootstrap/setup.js";

try {
  const main = join(dirname(dirname(fileURLToPath(import.meta.url))), "src", "main.ts");
  await runUnderNode24(await setUp(), [main, ...process.argv.slice(2)]);
} catch (error) {
  console.error(`stowage: ${error.message}`);
  process.exit(1);
}
