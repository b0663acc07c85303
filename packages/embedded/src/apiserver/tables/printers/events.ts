import type { Event } from "@stowage/machinery";
import type { Ages } from "../ages.ts";
import { column, nameColumn, wide } from "../columns.ts";
import { type Cell, type Printers, printer, type Sparse } from "../printer.ts";

const eventPrinter = printer<Event>({
  columns: [
    column("Last Seen", { of: "Event.lastTimestamp" }),
    column("Type", { of: "Event.type" }),
    column("Reason", { of: "Event.reason" }),
    column("Object", { of: "Event.involvedObject" }),
    wide("Subobject", { of: "ObjectReference.fieldPath" }),
    wide("Source", { of: "Event.source" }),
    column("Message", { of: "Event.message" }),
    wide("First Seen", { of: "Event.firstTimestamp" }),
    wide("Count", { of: "Event.count" }),
    { ...nameColumn, priority: 1 },
  ],
  cells: eventCells,
});

/** Both groups have them, and show them alike. */
export const eventPrinters: Printers = { "Event.": eventPrinter, "Event.events.k8s.io": eventPrinter };

/** Of those who write events, some set one time and some another. */
function eventCells(event: Sparse<Event>, ages: Ages): Cell[] {
  const { involvedObject, source, series } = event;
  const first = ages.since(event.firstTimestamp ?? event.eventTime);
  const last = event.lastTimestamp ? ages.since(event.lastTimestamp) : first;
  const kind = (involvedObject?.kind ?? "").toLowerCase();
  const component = source?.component || event.reportingComponent || "";
  const host = source?.host || event.reportingInstance || "";
  return [
    series === undefined ? last : ages.since(series.lastObservedTime),
    event.type ?? "",
    event.reason ?? "",
    involvedObject?.name ? `${kind}/${involvedObject.name}` : kind,
    involvedObject?.fieldPath ?? "",
    host === "" ? component : `${component}, ${host}`,
    (event.message ?? "").trim(),
    first,
    series === undefined ? event.count || 1 : (series.count ?? 0),
    event.metadata?.name ?? "",
  ];
}
