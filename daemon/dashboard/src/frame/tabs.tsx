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

/** One stop for the key Tab; arrows go from view to view. */
function moved(event: KeyboardEvent): void {
  const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  if (by === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[data-view]')];
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (at < 0) return;
  event.preventDefault();
  all[(at + by + all.length) % all.length]!.focus();
}

export function Tabs() {
  return (
    <nav class="tabs views" aria-label="views" onFocusIn={in_sight} onKeyDown={moved}>
      {choice.views.filter(choice.is_offered).map((each, at) => (
        <button key={each} type="button" data-view={each} aria-pressed={choice.view.value === each} tabIndex={choice.view.value === each || (at === 0 && !choice.is_offered(choice.view.value)) ? 0 : -1}
                onClick={() => (choice.view.value = each)}>{choice.view_words[each]}{counted.has(each) && <span class="note count">{count_of(each)}</span>}</button>
      ))}
      {!saved.value && run.value?.started_at && (
        <button type="button" class="scrub" aria-pressed={choice.scrubbing.value} onClick={() => (choice.scrubbing.value = !choice.scrubbing.value)}>As it stood</button>
      )}
    </nav>
  );
}
