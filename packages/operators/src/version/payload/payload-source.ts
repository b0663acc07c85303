import { type Payload } from "./payload.ts";
import { type PayloadPlace, readPayload, readReleaseMetadata } from "./payload-reader.ts";

/** The payload, or why there is none that could be used. */
export type PayloadReading = { readonly payload: Payload } | { readonly error: unknown };

/** A folder that another payload may be put in at any time. */
export interface PayloadSource {
  /** Looks at the folder; true when what was read is another than before. */
  refresh(): Promise<boolean>;
  /** What was last read. */
  reading(): PayloadReading | undefined;
}

/**
 * Only `release-metadata` tells of a new payload, so that it must be written last, or the folder be exchanged as a whole. A payload
 * that cannot be used is read again each time: whatever is wrong may be put right without it.
 */
export function createPayloadSource(place: PayloadPlace): PayloadSource {
  let last: { readonly metadata: string; readonly reading: PayloadReading } | undefined;
  return {
    reading: () => last?.reading,
    async refresh() {
      const metadata = await readReleaseMetadata(place.directory).catch(() => "");
      if (last?.metadata === metadata && "payload" in last.reading) return false;
      const reading = await readWhole(place);
      const isNews = last === undefined || identityOf(last.reading) !== identityOf(reading);
      last = { metadata, reading };
      return isNews;
    },
  };
}

async function readWhole(place: PayloadPlace): Promise<PayloadReading> {
  try {
    return { payload: await readPayload(place) };
  } catch (error) {
    return { error };
  }
}

function identityOf(reading: PayloadReading): string {
  if ("payload" in reading) return `${reading.payload.release.version} ${reading.payload.hash}`;
  return reading.error instanceof Error ? reading.error.message : String(reading.error);
}
