const words =
  /^(?:y|Y|yes|Yes|YES|on|On|ON|n|N|no|No|NO|off|Off|OFF|true|True|TRUE|false|False|FALSE|null|Null|NULL|~|)$/;
const number = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const wholeNumber = /^[-+]?(?:0[xX][0-9a-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|[0-9][0-9_]*)$/;
const notANumber = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
const sexagesimal = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const time =
  /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[Tt]\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d\d:\d\d))|(?: \d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?))?$/;

/** Whether a reader would take the text for something else, were it not in quotes. */
export function looksOtherwise(text: string): boolean {
  return [words, number, wholeNumber, notANumber, sexagesimal, time].some((pattern) => pattern.test(text));
}

/** Whether it can stand without quotes, as far as its characters go. */
export function isPlainText(text: string): boolean {
  if (!isSingleQuotable(text) || /^\s|\s$/.test(text) || /^(?:---|\.\.\.)/.test(text)) return false;
  if (/^[#,[\]{}&*!|>'"%@`]/.test(text) || /^[-?:](?:\s|$)/.test(text)) return false;
  return !/:(?:\s|$)/.test(text) && !/\s#/.test(text);
}

// oxlint-disable-next-line no-control-regex -- control characters are what it is about
const special = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|[^\u0000-\uffff]/u;

export function isSingleQuotable(text: string): boolean {
  return !special.test(text);
}
