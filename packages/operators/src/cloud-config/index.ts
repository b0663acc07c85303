/**
 * How clouds are configured and asked: `ini-file.ts` reads and writes settings in sections, as drivers of OpenStack and vSphere take
 * them; `cloud-http.ts` is a request to a cloud, through its proxy and by its authority, and
 * `cloud-patience.ts` how fast it lets itself be asked; `xml-text.ts` is what is looked for in answers.
 */
export { type CloudAnswer, type CloudHttp, type CloudRequest, createCloudHttp } from "./cloud-http.ts";
export { CloudPatience } from "./cloud-patience.ts";
export { formatIni, type IniSection, parseIni } from "./ini-file.ts";
export { elementsIn, elementText, escapeXml, unescapeXml } from "./xml-text.ts";
