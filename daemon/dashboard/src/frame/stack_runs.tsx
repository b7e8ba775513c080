// From a run to the others of its stack.
import { run, saved } from '../rows/model.js';
import { encoded } from '../values/words.js';

export function StackRuns() {
  const of = run.value;
  if (!of || saved.value) return null;
  return (
    <span class="stack-runs">
      <a href={of.stack ? `runs?stack=${encoded(of.stack)}` : 'runs'}>{of.stack ? 'runs of this stack' : 'all runs'}</a>
    </span>
  );
}
