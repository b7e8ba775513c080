// What scripts that are loaded later have in common with the page: one copy of the library and of what the page knows. They import
// this file, and build.mjs has them find what the page has put here. They can use no more than what is listed.
export { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
export { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
export { computed, useComputed, useSignal } from '@preact/signals';
export * as choice from './choice/choice.js';
export { copy } from './choice/clipboard.js';
export { open } from './choice/cursor.js';
export { address_words } from './values/address.js';
export { as_of, close, compared, cursor, difference, drift, followed, help, opened, stream, wanted } from './choice/choice.js';
export { keys } from './choice/keys.js';
export { passes } from './choice/filter.js';
export { by_login, heard, link, moment_of_run, now, old, resource_at, Rows, run, run_id, runs, saved, saved_plans, server, shown, skew, source } from './rows/model.js';
export { Copy } from './detail/copy.js';
export { DiagnosticCard } from './detail/diagnostics.js';
export { AtMoment } from './detail/moment_button.js';
export { Said } from './detail/said.js';
export { ShownAddress } from './detail/shown_address.js';
export { Address, Time } from './list/row.js';
export { Virtual } from './list/virtual.js';
export { parse_sgr, plain } from './values/sgr.js';
export { moment_words } from './values/moment.js';
export { who } from './values/verdict.js';
export { addressed, both_times, date_time, duration, encoded, fragment, seconds, sign, signs } from './values/words.js';
