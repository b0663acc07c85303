import { runCompareCommand } from "../../cluster/embedded-scenarios/compare-command.ts";
import { loadAreas } from "./areas.ts";
import { startClusters } from "./clusters.ts";
import { openScene } from "./scene.ts";

/**
 * `node test/node/embedded-node/compare.ts [area…] [--only TEXT] [--self]`: which scenarios end otherwise on our node than on
 * a real kubelet's, which is that of the lab in STOWAGE_REAL_LAB, or else of a temporary one. Needs root.
 */
await runCompareCommand({
  loadAreas,
  startClusters: (isSelfTest) => startClusters({ labFolder: process.env["STOWAGE_REAL_LAB"], isSelfTest }),
  open: openScene,
});
