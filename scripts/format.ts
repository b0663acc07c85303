// `npm run format`: lays every source out as the project does.
import { runTool } from "./checkout.ts";

process.exitCode = await runTool("biome", ["check", "--write", ...process.argv.slice(2)]);
