#!/usr/bin/env node
// `npx stowage` in a checkout: sets up what is missing, then runs the command under Node 24.
import { commandFile } from "../../../bootstrap/bundle.js";
import { runUnderNode24 } from "../../../bootstrap/hand-over.js";
import { setUp } from "../../../bootstrap/setup.js";

try {
  const node24 = await setUp();
  await runUnderNode24(node24, [commandFile(node24), ...process.argv.slice(2)]);
} catch (error) {
  console.error(`stowage: ${error.message}`);
  process.exit(1);
}
