import type { Scene } from "./scene.ts";
import { access } from "./scenes/access.ts";
import { applies, serverSideApplies } from "./scenes/applies.ts";
import { creates } from "./scenes/creates.ts";
import { deletes } from "./scenes/deletes.ts";
import { describes } from "./scenes/describes.ts";
import { edits, nodes } from "./scenes/edits.ts";
import { explains } from "./scenes/explains.ts";
import { reads } from "./scenes/reads.ts";
import { storage } from "./scenes/storage.ts";
import { workloads } from "./scenes/workloads.ts";

/** In this order: what is the whole cluster's is looked at first, when nobody has left anything there. */
export const session: readonly Scene[] = [
  reads,
  describes,
  storage,
  applies,
  serverSideApplies,
  edits,
  nodes,
  creates,
  workloads,
  explains,
  access,
  deletes,
];
