// A client of the feed `tofud.v1` for browsers and Node, without dependencies. dist/client.mjs is the same as plain JavaScript, and
// dist/client.d.mts has its types.
export * from './control.js';
export * from './rows.js';
export * from './fold.js';
export * from './feed.js';
