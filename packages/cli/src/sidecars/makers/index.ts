import type { SidecarMaker } from "../sidecar-maker.ts";
import { attacherMaker } from "./attacher.ts";
import { provisionerMaker } from "./provisioner.ts";
import { resizerMaker } from "./resizer.ts";
import { snapshotControllerMaker } from "./snapshot-controller.ts";
import { snapshotterMaker } from "./snapshotter.ts";

const makers = [provisionerMaker, attacherMaker, resizerMaker, snapshotterMaker, snapshotControllerMaker];

export function makerOf(sidecarName: string): SidecarMaker {
  const maker = makers.find(({ flags }) => flags.name === sidecarName);
  if (maker === undefined) throw new TypeError(`there is no sidecar ${sidecarName}`);
  return maker;
}
