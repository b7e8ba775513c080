// The parts of the wall that are functions of values, for their tests.
export * from './asked.js';
export * from './cards.js';
export * from './clock.js';
export * from './layout.js';
export * from './strip.js';
export { common_path, counts_text, lines_of, short_text, state_text } from './words.js';
