// The parts of the page that are functions of values, for their tests (tests/dashboard/page).
export * from './change.js';
export * from './compare.js';
export { laid_out, parse } from './json_text.js';
export { line_diff } from './line_diff.js';
export { call_of, text_of, values_of } from './diagnostic_text.js';
export { filter_parameters, passes } from './filter.js';
export { Lines } from './lines.js';
export * from './moment.js';
export { ModuleCounts, parts_of } from './module_counts.js';
export * from './output_words.js';
export { bare, parse_sgr, plain } from './sgr.js';
export { source_lines } from './snippet.js';
export { StreamLines } from './stream_lines.js';
export * from './test_tree.js';
export * from './timeline.js';
export * from './words.js';
export * as wall from './wall/parts.js';
