/**
 * Events are in two groups, `v1` and `events.k8s.io/v1`, and yet the same objects, with other names for their fields. They are kept as
 * they were written, and given the names of the group that asks.
 */
type Fields = Record<string, unknown>;

/** Of the core group, and what the other one calls it. */
const namePairs = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
  ["reportingComponent", "reportingController"],
] as const;

/** Sent even where nothing is set. */
const coreDefaults = {
  involvedObject: {},
  source: {},
  firstTimestamp: null,
  lastTimestamp: null,
  eventTime: null,
  reportingComponent: "",
  reportingInstance: "",
};
const eventsDefaults = {
  eventTime: null,
  regarding: {},
  deprecatedSource: {},
  deprecatedFirstTimestamp: null,
  deprecatedLastTimestamp: null,
};

const forms: Readonly<Record<string, { readonly names: Readonly<Record<string, string>>; readonly defaults: Fields }>> =
  {
    v1: { names: Object.fromEntries(namePairs.map(([core, other]) => [other, core])), defaults: coreDefaults },
    "events.k8s.io/v1": { names: Object.fromEntries(namePairs), defaults: eventsDefaults },
  };

/** The event with the names of the other group, unless it has them already. */
export function eventAs(event: Readonly<Fields>, apiVersion: string): Readonly<Fields> {
  const form = forms[apiVersion];
  if (form === undefined || event.apiVersion === apiVersion) return event;
  const { kind, apiVersion: _other, metadata, ...rest } = event;
  // Only the core group says who reports when nobody does.
  const told = Object.entries(rest).filter(([, value]) => value !== "");
  const renamed = told.map(([name, value]) => [form.names[name] ?? name, value]);
  return { kind, apiVersion, metadata, ...form.defaults, ...Object.fromEntries(renamed) };
}

export function isEvent({ group, plural }: { readonly group: string; readonly plural: string }): boolean {
  return plural === "events" && (group === "" || group === "events.k8s.io");
}
