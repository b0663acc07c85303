import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const labFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const outputFolder = join(dirname(labFolder), ".lab");

/** Where things are in a checkout; `.lab` is ignored by git. */
export const checkoutPaths = {
  goFolder: join(labFolder, "go"),
  binFolder: join(outputFolder, "bin"),
  imageFolder: join(outputFolder, "images"),
  /** The state of the developer's own lab, unless `--dir` names another. */
  runFolder: join(outputFolder, "run"),
} as const;
