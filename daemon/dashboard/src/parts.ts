// The parts of the page that are functions of values, for their tests (tests/dashboard/page).
export * from './values/chain.js';
export * from './values/change.js';
export * from './values/compare.js';
export { laid_out, parse } from './values/json_text.js';
export { line_diff } from './values/line_diff.js';
export { call_of, text_of, values_of } from './values/diagnostic_text.js';
export { filter_parameters, passes } from './choice/filter.js';
export { Lines } from './rows/lines.js';
export * from './values/moment.js';
export { ModuleCounts, parts_of } from './rows/module_counts.js';
export * from './values/output_words.js';
export { bare, parse_sgr, plain } from './values/sgr.js';
export { source_lines } from './values/snippet.js';
export { StreamLines } from './rows/stream_lines.js';
export * from './values/test_tree.js';
export * from './values/timeline.js';
export * from './values/words.js';
export * as wall from './wall/parts.js';
