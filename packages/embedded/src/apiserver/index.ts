/**
 * The API server. In the order in which a request meets them: `requests/` tells what it asks for, `resources/` whether there is such,
 * `store/` keeps what is served (objects as JSON text by key, with one revision for all of them, in memory and, where a file is given,
 * on disk before anybody is told), and `answers/` has what is said when it is not done. See docs/design/011 for what is to come.
 */
export * from "./answers/index.ts";
export * from "./requests/index.ts";
export * from "./resources/index.ts";
export * from "./store/index.ts";
