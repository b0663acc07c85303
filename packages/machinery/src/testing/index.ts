/** For tests of any package: seams with an implementation that a test holds in its hands. */
export { ManualClock, settled } from "./manual-clock.ts";
