// From a run to its stack.
import { run, saved } from '../rows/model.js';
import { encoded } from '../values/words.js';

export function StackRuns() {
  const of = run.value;
  if (!of || saved.value) return null;
  return (
    <span class="stack-runs">
      <a href={of.stack && encoded(of.stack) ? `stacks/${encoded(of.stack)}` : 'runs'}>{of.stack ? 'this stack' : 'all runs'}</a>
    </span>
  );
}
