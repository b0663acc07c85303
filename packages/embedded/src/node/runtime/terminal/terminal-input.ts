import type { Writable } from "node:stream";
import { writeRoom } from "../../write-room.ts";

/** What Ctrl-D types: the end of the input, at the beginning of a line. In the middle of one it ends the line alone. */
const END = 0x04;
const NEWLINE = 0x0a;

/** Types what comes, and its end as somebody would who sits there: a terminal has no end of its own, but when it is hung up. */
export async function typeInto(terminal: Writable, typed: AsyncIterable<Uint8Array>): Promise<void> {
  // The command may end before it has read everything.
  terminal.on("error", () => {});
  let last = NEWLINE;
  for await (const bytes of typed) {
    last = bytes.at(-1) ?? last;
    if (!terminal.write(bytes)) await writeRoom(terminal);
  }
  terminal.write(last === NEWLINE ? Buffer.of(END) : Buffer.of(END, END));
}
