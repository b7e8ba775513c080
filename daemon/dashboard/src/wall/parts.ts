// The parts of the wall that are functions of values, for their tests.
export * from './asked.js';
export * from './cards.js';
export * from './clock.js';
export * from './layout.js';
export { counts_text, lines_of, state_text } from './words.js';
