/** What the server is as good as: the version that its answers are compared with. */
export const servedVersion = { major: "1", minor: "36", patch: "3" } as const;

const { major, minor, patch } = servedVersion;

/** `/version`. Clients read the first of them; who built it is nobody's business. */
export function versionDocument() {
  return {
    major,
    minor,
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(Number(minor) - 1),
    gitVersion: `v${major}.${minor}.${patch}`,
    gitCommit: "",
    gitTreeState: "",
    buildDate: "1970-01-01T00:00:00Z",
    goVersion: "",
    compiler: "",
    platform: `${process.platform}/${goArchitecture()}`,
  };
}

/** As Go names it. */
function goArchitecture(): string {
  return process.arch === "x64" ? "amd64" : process.arch;
}
