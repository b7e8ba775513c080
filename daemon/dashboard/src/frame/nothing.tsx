// What is shown while there is no run, or none of this name.
import { link } from '../rows/model.js';

/** How the first run comes here: the address is this daemon's own, as the reader reached it. */
const command = () => `TOFUD_SERVER=${location.origin} tofud run -- tofu apply`;

export function Nothing() {
  const is = link.value;
  if (is.is !== 'refused') return <div class="nothing" />;
  const named = new URLSearchParams(location.search).get('run');
  if (named !== null && named !== 'latest') {
    return (
      <div class="nothing">
        <h2>{'No run named '}<b>{named}</b></h2>
        <p>It may have been removed.</p>
        <p><a href="runs">All runs</a></p>
      </div>
    );
  }
  return (
    <div class="nothing">
      <h2>No run has begun yet</h2>
      <p>A run appears here as soon as one is sent:</p>
      <pre class="source">{command()}</pre>
    </div>
  );
}
