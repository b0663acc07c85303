// `npm run generate`: writes every generated file anew. `npm run verify` says when one is stale.
import { writeGeneratedFiles } from "./generate/generated-files.ts";

for (const file of await writeGeneratedFiles()) console.log(`wrote ${file}`);
