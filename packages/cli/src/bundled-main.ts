// Where the bundle starts (see docs/design/007-the-bundle.md). Stack traces come first, so that a failure to load is shown with
// the lines of the sources too.
import "./crash-positions.ts";
import "./main.ts";
