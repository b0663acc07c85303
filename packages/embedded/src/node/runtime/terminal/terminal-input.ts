import type { Writable } from "node:stream";
import { writeRoom } from "../../write-room.ts";

/** What Ctrl-D types: the end of the input, at the beginning of a line. In the middle of one it ends the line alone. */
const END = 0x04;
const NEWLINE = 0x0a;
const ENTER = 0x0d;

/** Types what comes. Returns what somebody would type after it to say that there is no more: a terminal has no end of its own. */
export async function typeInto(terminal: Writable, typed: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  // Whoever reads it may end before everything is read.
  terminal.on("error", () => {});
  let last = NEWLINE;
  for await (const bytes of typed) {
    last = bytes.at(-1) ?? last;
    if (!terminal.write(bytes)) await writeRoom(terminal);
  }
  return last === NEWLINE || last === ENTER ? Buffer.of(END) : Buffer.of(END, END);
}
