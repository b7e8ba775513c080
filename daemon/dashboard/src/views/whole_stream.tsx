// The stream as it came: its newest lines, followed while it goes on. One that is clicked is laid out.
// A script of its own (frame/late.tsx).
import { laid_out } from '../values/json_text.js';
import { Copy, source, useEffect, useSignal, Virtual } from '../shared.js';
import { StreamLines } from '../rows/stream_lines.js';

const row_height = 18; // style.css has the same
/** Of a line, in the list; of one that is laid out. */
const most_drawn = 1000;
const most_laid_out = 200_000;

const cut_at = (text: string, most: number) => (text.length > most ? `${text.slice(0, most)}…` : text);

export function WholeStream({ of }: { of: string }) {
  const held = useSignal({ of: new StreamLines() });
  const failed = useSignal('');
  const find = useSignal('');
  const following = useSignal(true);
  const chosen = useSignal<string | null>(null);
  const tries = useSignal(0);
  useEffect(() => {
    const stop = new AbortController();
    failed.value = '';
    held.value = { of: new StreamLines() };
    source.stream!(of, stop.signal, (got) => (held.value = { of: got })).catch((error: Error) => {
      if (!stop.signal.aborted) failed.value = error.message;
    });
    return () => stop.abort();
  }, [of, tries.value]);
  const { lines, cut } = held.value.of;
  const word = find.value.toLowerCase();
  const shown = word ? lines.filter((line) => line.toLowerCase().includes(word)) : lines;
  const one = chosen.value;
  return (
    <>
      {failed.value && <p class="note"><span role="status">{failed.value}</span> <button type="button" class="again" onClick={() => tries.value++}>again</button></p>}
      <input type="search" name="find" class="find" placeholder="search the stream" aria-label="search the stream" value={find.value}
             onInput={(event) => (find.value = event.currentTarget.value)} />
      {' '}<label><input type="checkbox" name="follow" checked={following.value}
                    onChange={(event) => (following.value = event.currentTarget.checked)} /> follow</label>
      {' '}<span class="note">{`${shown.length} lines${cut ? ', older ones are not loaded' : ''}`}</span>
      <Virtual count={shown.length} row_height={row_height} follow={following.value && !word} on_scroll={(end) => word || (following.value = end)}
               row={(at) => <button key={at} type="button" class="line" onClick={() => (chosen.value = shown[at]!)}>{cut_at(shown[at]!, most_drawn)}</button>}
               attributes={{ class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': 'the stream', tabIndex: 0 }} />
      {one !== null && <div class="laid-out">
        <Copy text={() => one} label="line" /> <button type="button" onClick={() => (chosen.value = null)}>close</button>
        <pre class="source">{cut_at(laid_out(one) ?? one, most_laid_out)}</pre>
      </div>}
    </>
  );
}
