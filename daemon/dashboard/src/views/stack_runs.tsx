// From a run to the others of its stack.
import { view } from '../choice/choice.js';
import { run, saved, shown } from '../rows/model.js';
import { encoded } from '../values/words.js';

export function StackRuns() {
  const of = run.value;
  if (!of || saved.value) return null;
  return (
    <span class="stack-runs">
      <a href={of.stack ? `runs?stack=${encoded(of.stack)}` : 'runs'}>{of.stack ? 'runs of this stack' : 'all runs'}</a>
      {shown.value.resource.rows.length === 0 && view.value !== 'compare' && (
        <>{' '}<button type="button" data-view="compare" onClick={() => (view.value = 'compare')}>compare</button></>
      )}
    </span>
  );
}
