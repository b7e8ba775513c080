// The stream as it came, for who asks for it.
import { stream as wanted } from '../choice/choice.js';
import { LateStream } from './late.js';
import { run_id, source } from '../rows/model.js';

export function Stream() {
  if (!source.stream || !run_id.value) return null;
  return (
    <section id="stream" aria-label="the stream as it came">
      <button type="button" class="whole-stream" aria-pressed={wanted.value} onClick={() => (wanted.value = !wanted.value)}>the stream as it came</button>
      {wanted.value && <LateStream of={run_id.value} />}
    </section>
  );
}
