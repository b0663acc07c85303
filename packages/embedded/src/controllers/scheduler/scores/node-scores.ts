import { areTermsMet, isTolerated } from "../../kit/index.ts";
import { normalized, type Score } from "./score.ts";

/** The fewer taints that ask not to be used, the better. */
export const taintScore: Score = {
  name: "TaintToleration",
  weight: 3,
  rate({ spec }, nodes) {
    const meant = (spec?.tolerations ?? []).filter(({ effect }) => !effect || effect === "PreferNoSchedule");
    const counts = nodes.map(
      ({ node }) =>
        (node.spec?.taints ?? []).filter((taint) => taint.effect === "PreferNoSchedule" && !isTolerated(taint, meant))
          .length,
    );
    return normalized(counts, true);
  },
};

/** The more of what the Pod prefers, the better. */
export const affinityScore: Score = {
  name: "NodeAffinity",
  weight: 2,
  rate({ spec }, nodes) {
    const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    if (preferred.length === 0) return undefined;
    const sums = nodes.map(({ node }) =>
      preferred
        .filter(({ preference }) => areTermsMet([preference], node))
        .reduce((sum, { weight }) => sum + weight, 0),
    );
    return normalized(sums, false);
  },
};
