// The parts of the page that are functions of values, for their tests (tests/dashboard/page).
export * from './change.js';
export { laid_out, parse } from './json_text.js';
export { line_diff } from './line_diff.js';
export { filter_parameters, passes } from './filter.js';
export { Lines } from './lines.js';
export { ModuleCounts, parts_of } from './module_counts.js';
export { bare, parse_sgr, plain } from './sgr.js';
export { source_lines } from './snippet.js';
export * from './timeline.js';
export * from './words.js';
export * as wall from './wall/parts.js';
