import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** Where everything lies under the state directory. Renaming any of these loses sight of volumes that exist. */
export interface Layout {
  readonly root: string;
  readonly volumeRecords: string;
  readonly snapshotRecords: string;
  readonly groupRecords: string;
  readonly intents: string;
  readonly broken: string;
  readonly volumeContents: string;
  readonly snapshotContents: string;
}

export function layoutAt(root: string): Layout {
  return {
    root,
    volumeRecords: join(root, "volumes"),
    snapshotRecords: join(root, "snapshots"),
    groupRecords: join(root, "groups"),
    intents: join(root, "intents"),
    broken: join(root, "broken"),
    volumeContents: join(root, "contents", "volumes"),
    snapshotContents: join(root, "contents", "snapshots"),
  };
}

export async function ensureLayout(layout: Layout): Promise<void> {
  for (const path of Object.values(layout) as string[]) await mkdir(path, { recursive: true, mode: 0o700 });
}

export const volumeContentPath = (layout: Layout, id: string) => join(layout.volumeContents, id);
export const snapshotContentPath = (layout: Layout, id: string) => join(layout.snapshotContents, id);

/** What is being made has this ending until it is whole; found at a start, it is left over from a crash. */
export const partialSuffix = ".partial";
