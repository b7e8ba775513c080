// The script of the parts that few ask for: see views/late.tsx.
export { Compare } from './views/compare_view.js';
export { History } from './views/history.js';
export { Tests } from './views/tests.js';
export { WholeStream } from './views/whole_stream.js';
export { Waterfall } from './views/waterfall.js';
