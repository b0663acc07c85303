import type { PemSource } from "./connection-config.ts";
import { RotatingFile, type RotatingFileDeps } from "./rotating-file.ts";

/** PEM text wherever it comes from; what stands inline never changes. */
export interface PemReader {
  read(): Promise<string>;
  expire(): void;
}

export function pemReader(source: PemSource, deps: RotatingFileDeps): PemReader {
  return source.kind === "file" ? new RotatingFile(source.path, deps) : { read: async () => source.pem, expire() {} };
}
