/** One line of mountinfo, as far as volumes need it. */
export interface MountEntry {
  readonly id: number;
  /** What of the file system is mounted: `/`, or the directory or file that was bound. */
  readonly root: string;
  readonly mountPoint: string;
  /** Of this mount alone, unlike those of its file system. */
  readonly options: readonly string[];
  readonly fsType: string;
  readonly source: string;
  /** Of the file system, whichever mount it is seen through. */
  readonly superOptions: readonly string[];
}

/** Reads /proc/self/mountinfo: `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue`. */
export function parseMountTable(text: string): MountEntry[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const [before = "", after = ""] = line.split(" - ", 2);
      const [id = "", , , root = "", mountPoint = "", options = ""] = before.split(" ");
      const [fsType = "", source = "", superOptions = ""] = after.split(" ");
      return {
        id: Number(id),
        root: unescapePath(root),
        mountPoint: unescapePath(mountPoint),
        options: options.split(","),
        fsType,
        source: unescapePath(source),
        superOptions: superOptions.split(","),
      };
    });
}

/** Whether the entry is a mount of the device's file system, or a binding of the device node itself. */
export function isMountOf(entry: MountEntry, device: string): boolean {
  if (entry.source === device) return true;
  return (entry.fsType === "devtmpfs" || entry.fsType === "tmpfs") && `/dev${entry.root}` === device;
}

/** The kernel writes space, tab, newline and backslash as octal numbers, in UTF-8. */
function unescapePath(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_match, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
