import type { Terminal } from "../command.ts";
import type { Step } from "./steps.ts";

export interface UpProgress extends Disposable {
  /** This is waited for from now on. */
  began(step: Pick<Step, "id" | "text">): void;
  reached(step: Pick<Step, "id" | "text">): void;
  /** A line between steps. */
  said(text: string): void;
  /** Likewise, and programs that read JSON have it on standard error. */
  warned(text: string): void;
}

export interface ProgressView {
  readonly terminal: Terminal;
  /** Somebody looks at a terminal of so many columns; undefined for a pipe or a log. */
  readonly columns: number | undefined;
  readonly hasColours: boolean;
  readonly isJson: boolean;
  /** Since the command was given. */
  elapsedMs(): number;
}

const REDRAW_MS = 100;
const CLEAR_LINE = "\r\u001B[2K";
const paint = (code: number) => (text: string) => `\u001B[${code}m${text}\u001B[0m`;
const green = paint(32);
const dim = paint(2);

/** Each step with its time: as it happens on a terminal, a line each elsewhere, JSON lines for programs. */
export function createUpProgress(view: ProgressView): UpProgress {
  if (view.isJson) return jsonProgress(view);
  return view.columns === undefined ? plainProgress(view) : liveProgress(view, view.columns);
}

/** `1.3 s` */
export function secondsText(elapsedMs: number): string {
  return `${(elapsedMs / 1_000).toFixed(1)} s`;
}

function jsonProgress({ terminal, elapsedMs }: ProgressView): UpProgress {
  return {
    began: () => {},
    reached: ({ id }) => terminal.out(`${JSON.stringify({ step: id, seconds: Math.round(elapsedMs()) / 1_000 })}\n`),
    said: () => {},
    warned: (text) => terminal.err(`${text}\n`),
    [Symbol.dispose]: () => {},
  };
}

function plainProgress(view: ProgressView): UpProgress {
  const { terminal, elapsedMs } = view;
  const said = (text: string) => terminal.err(`${text}\n`);
  return {
    began: () => {},
    reached: ({ text }) => said(doneLine(text, elapsedMs(), view)),
    said,
    warned: said,
    [Symbol.dispose]: () => {},
  };
}

/** Of a terminal's width, and never more: a line that is longer would be written twice when it is drawn anew. */
function liveProgress(view: ProgressView, columns: number): UpProgress {
  const { terminal, elapsedMs, hasColours } = view;
  let waiting: string | undefined;
  const draw = () => {
    if (waiting === undefined) return;
    const line = `  … ${waiting} ${secondsText(elapsedMs())}`.slice(0, columns - 1);
    terminal.err(CLEAR_LINE + (hasColours ? dim(line) : line));
  };
  const timer = setInterval(draw, REDRAW_MS).unref();
  const write = (line: string) => {
    terminal.err(`${waiting === undefined ? "" : CLEAR_LINE}${line}\n`);
    draw();
  };
  return {
    began({ text }) {
      waiting = text;
      draw();
    },
    reached({ text }) {
      if (waiting === text) {
        terminal.err(CLEAR_LINE);
        waiting = undefined;
      }
      write(doneLine(text, elapsedMs(), view));
    },
    said: write,
    warned: write,
    [Symbol.dispose]() {
      clearInterval(timer);
      if (waiting !== undefined) terminal.err(CLEAR_LINE);
      waiting = undefined;
    },
  };
}

const TEXT_COLUMNS = 46;
/** For the mark, the time and what is between. */
const OTHER_COLUMNS = 13;

function doneLine(text: string, elapsedMs: number, { hasColours, columns = 80 }: ProgressView): string {
  const time = secondsText(elapsedMs).padStart(7);
  const width = Math.max(1, Math.min(TEXT_COLUMNS, columns - OTHER_COLUMNS));
  const shown = text.slice(0, width).padEnd(width);
  return hasColours ? `  ${green("✓")} ${shown} ${dim(time)}` : `  ✓ ${shown} ${time}`;
}
