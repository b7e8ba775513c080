// A client of the feed `tofud.v1` for browsers and Node, without dependencies. dist/client.mjs is the same as plain JavaScript.
export { Fold, type Rows, type State } from './fold.js';
export { Feed, browser, type Handlers, type Link, type Question, type Socket, type World } from './feed.js';
export * from './rows.js';
