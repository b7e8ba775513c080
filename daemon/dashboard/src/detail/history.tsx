// What happened to a resource in earlier runs. Fetched when somebody looks at it.
// A script of its own (frame/late.tsx).
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { both_times, run, run_id, seconds, source, useEffect, useSignal } from '../shared.js';
import { entry_words, type HistoryEntry } from '../values/history_entry.js';

/** A bar a run, the oldest at the left, as high as it took long. */
function Plot({ of }: { of: HistoryEntry }) {
  const runs = of.newest.filter((each) => each.run !== run_id.value).reverse();
  if (runs.length < 2) return null;
  const longest = Math.max(...runs.map((each) => each.seconds), 0.001);
  return (
    <span class="plot" role="img" aria-label={`how long the last ${runs.length} took: ${runs.map((each) => seconds(each.seconds)).join(', ')}`}>
      {runs.map((each, at) => (
        <span key={at} class="bar" data-status={each.status} style={{ height: `${Math.max(20, 100 * each.seconds / longest)}%` }}
              data-says={`${each.status} after ${seconds(each.seconds)}, ${both_times(each.started_at)}, run ${each.run}`} />
      ))}
    </span>
  );
}

export function History({ of }: { of: Resource }) {
  const stack = run.value?.stack ?? '';
  const found = useSignal<HistoryEntry[] | string | null>(null);
  useEffect(() => {
    found.value = null;
    let wanted = true;
    source.history!(stack, of.addr).then(
      (entries) => wanted && (found.value = entries),
      (why: unknown) => wanted && (found.value = why instanceof Error ? why.message : String(why)));
    return () => void (wanted = false);
  }, [stack, of.addr]);
  const is = found.value;
  if (typeof is === 'string') return <p class="note" role="status">{`earlier runs can't be shown: ${is}`}</p>;
  if (!is || is.length === 0) return null;
  const by = is.find((each) => each.changed_by)?.changed_by;
  return (
    <section class="history" aria-label="earlier runs">
      <h3>earlier runs</h3>
      {is.map((each) => (
        <p key={each.action} class="facts"><b>{each.action}</b> <span>{entry_words(each)}</span> <Plot of={each} /></p>
      ))}
      {by && (
        <p class="note">{`last changed by run ${by.run} (${by.action})`}
          {(by.commit ?? by.actor) && `, which claimed ${[by.commit && `commit ${by.commit}`, by.actor && `actor ${by.actor}`].filter(Boolean).join(', ')}`}
        </p>
      )}
    </section>
  );
}
