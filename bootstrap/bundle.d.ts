export const bundleFolder: string;
export const currentFile: string;
export function commandFile(node24: string): string;
export function contentHash(content: string | Uint8Array): string;
export function folderContent(folder: string): string;
