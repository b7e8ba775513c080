// Leads from something with a time to the waterfall at that moment.
import { computed } from '@preact/signals';
import * as choice from '../choice/choice.js';
import { run, shown } from '../rows/model.js';
import { moment_words, seconds_since } from '../values/moment.js';

/** Of these only changes count: rows come all the time. */
const begin = computed(() => run.value?.started_at);
const any = computed(() => shown.value.resource.rows.length > 0);

export function AtMoment({ of }: { of: string | null | undefined }) {
  const at = seconds_since(begin.value, of);
  if (isNaN(at) || !any.value) return null;
  return (
    <button type="button" class="at-moment" data-says="show what ran then" onClick={() => choice.show_moment(at)}>{`at ${moment_words(at)}`}</button>
  );
}
