/**
 * How the built-in kinds are shown, a file for each area. What none of them has is shown by its name and when it was created.
 */
import type { Printer, Printers } from "../printer.ts";
import { accessPrinters } from "./access.ts";
import { clusterPrinters } from "./cluster.ts";
import { eventPrinters } from "./events.ts";
import { jobPrinters } from "./jobs.ts";
import { networkingPrinters } from "./networking.ts";
import { podPrinters } from "./pods.ts";
import { storagePrinters } from "./storage.ts";
import { workloadPrinters } from "./workloads.ts";

const printers: Printers = {
  ...podPrinters,
  ...workloadPrinters,
  ...jobPrinters,
  ...storagePrinters,
  ...clusterPrinters,
  ...eventPrinters,
  ...networkingPrinters,
  ...accessPrinters,
};

/** Undefined for a kind that has none of its own. */
export function builtInPrinter(kind: string, group: string): Printer | undefined {
  return printers[`${kind}.${group}`];
}
