// The script of what is not needed for the first look: see frame/late.tsx.
export { Drift } from './detail/drift.js';
export { OneResource } from './detail/resource.js';
export { About } from './frame/about.js';
export { AsOf } from './frame/as_of.js';
export { Exports } from './frame/exports.js';
export { Keys } from './frame/keys_dialog.js';
export { Palette } from './frame/palette.js';
export { GraphView } from './views/graph_view.js';
export { Compare } from './views/compare_view.js';
export { LogView } from './views/log_view.js';
export { Outputs } from './views/outputs.js';
export { PlanView } from './views/plan_view.js';
export { Tests } from './views/tests.js';
export { Waterfall } from './views/waterfall.js';
