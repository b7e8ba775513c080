// What people wrote of a resource into its configuration: whom to ask, what to do, how long it takes.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { leads_to_the_web, seconds } from '../values/words.js';

export function Said({ of }: { of: Resource | undefined }) {
  const said = of?.source;
  if (!said?.owner && !said?.runbook && !said?.expect_s) return null;
  return (
    <p class="said">
      {said.owner && <span>owner <b class="owner">{said.owner}</b></span>}
      {said.runbook && (
        <span>runbook {leads_to_the_web(said.runbook)
          ? <a class="runbook" href={said.runbook} rel="noreferrer" target="_blank">{said.runbook}</a>
          : <code class="runbook">{said.runbook}</code>}
        </span>
      )}
      {said.expect_s && <span class="expected">{`expected ${seconds(said.expect_s)}`}</span>}
    </p>
  );
}
