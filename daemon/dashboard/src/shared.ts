// What scripts that are loaded later have in common with the page: one copy of the library and of what the page knows. They import
// this file, and build.mjs has them find what the page has put here. They can use no more than what is listed.
export { Fragment, jsx, jsxs } from 'preact/jsx-runtime';
export { useEffect } from 'preact/hooks';
export { useComputed, useSignal } from '@preact/signals';
export * as choice from './choice/choice.js';
export { compared, cursor, difference, wanted } from './choice/choice.js';
export { passes } from './choice/filter.js';
export { heard, now, old, run, run_id, runs, saved, shown, skew, source } from './rows/model.js';
export { Copy } from './views/copy.js';
export { DiagnosticCard } from './views/diagnostics.js';
export { Virtual } from './views/virtual.js';
export { both_times, duration, fragment, seconds } from './values/words.js';
