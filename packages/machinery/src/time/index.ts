/**
 * Times and durations as Kubernetes writes them.
 *
 * - `duration.ts`: Go's durations, `1h30m`, in flags and in fields such as `resyncPeriod`; exact nanoseconds, or milliseconds.
 * - `timestamp.ts`: `metav1.Time` (whole seconds) and `metav1.MicroTime` (always six decimals; leases and events use it).
 *
 * Points in time are numbers since 1970, as the clock gives them: milliseconds, or bigint microseconds where those are kept.
 */
export { formatDurationMs, formatDurationNs, parseDurationMs, parseDurationNs } from "./duration.ts";
export { formatMicroTime, formatTime, parseMicroTime, parseTime } from "./timestamp.ts";
