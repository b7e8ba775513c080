// The views of a run.
import * as choice from '../choice/choice.js';
import type { View } from '../choice/choice.js';
import { run, saved, shown } from '../rows/model.js';

const counted = new Set<View>(['resources', 'outputs']);

/** How many there are of what a view shows; empty: that is no number of things. */
function count_of(view: View): string {
  const count = view === 'resources' ? shown.value.resource.rows.length : view === 'outputs' ? shown.value.output.rows.length : 0;
  return count > 0 ? `${count}` : '';
}

/** Browsers leave one that is in sight by half where it is. */
const in_sight = (event: FocusEvent) => (event.target as HTMLElement).scrollIntoView({ block: 'nearest', inline: 'nearest' });

export function Tabs() {
  return (
    <nav class="tabs views" aria-label="views" onFocusIn={in_sight}>
      {choice.views.filter(choice.is_offered).map((each) => (
        <button key={each} type="button" data-view={each} aria-pressed={choice.view.value === each}
                onClick={() => (choice.view.value = each)}>{choice.view_words[each]}{counted.has(each) && <span class="note count">{count_of(each)}</span>}</button>
      ))}
      {!saved.value && run.value?.started_at && (
        <button type="button" class="scrub" aria-pressed={choice.scrubbing.value} onClick={() => (choice.scrubbing.value = !choice.scrubbing.value)}>As it stood</button>
      )}
    </nav>
  );
}
