import { runCompareCommand } from "../embedded-scenarios/compare-command.ts";
import { loadAreas } from "./areas.ts";
import { startClusters } from "./clusters.ts";
import { openScene } from "./scene.ts";

/**
 * `node test/cluster/embedded-controllers/compare.ts [area…] [--only TEXT] [--self]`: which scenarios end otherwise with our
 * controllers than with the real ones, which are those of STOWAGE_REAL_KUBECONFIG, or else of a temporary control plane.
 */
await runCompareCommand({
  loadAreas,
  startClusters: (isSelfTest) => startClusters({ realKubeconfig: process.env["STOWAGE_REAL_KUBECONFIG"], isSelfTest }),
  open: openScene,
});
