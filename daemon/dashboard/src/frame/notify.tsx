// A notification when the run fails or ends while nobody looks. The browser is asked only when somebody wants it.
import { effect, signal } from '@preact/signals';
import { run, saved } from '../rows/model.js';
import { failures, heading } from '../values/words.js';

/** Whether somebody asked for it in this page; the browser's permission outlives the page, the wish does not. */
const wanted = signal(false);
const refused = signal(false);

const can = typeof Notification === 'function';

async function want(): Promise<void> {
  const answer = await Notification.requestPermission();
  wanted.value = answer === 'granted';
  refused.value = answer !== 'granted';
}

function tell(text: string): void {
  const told = new Notification(text, { tag: 'tofud', body: run.value ? heading(run.value) : '' });
  told.onclick = () => {
    window.focus();
    told.close();
  };
}

/** Tells of the first failure and of the end, each once, while the page is hidden. */
export function mind_notifications(): void {
  let of = '';
  let failed = false;
  let over = false;
  effect(() => {
    const is = run.value;
    if (!is) return;
    const news = is.key === of;
    const fails = failures(is) > 0;
    const ended = is.status !== 'running';
    const text = ended ? `${is.command} ${is.status}` : `${failures(is)} failed`;
    const says = news && wanted.value && document.hidden && ((ended && !over) || (fails && !failed && !ended));
    [of, failed, over] = [is.key, fails, ended];
    if (says) tell(text);
  });
}

export function Notify() {
  if (!can || saved.value || run.value?.status !== 'running') return null;
  if (refused.value) return <span class="note" id="notify">the browser allows no notifications</span>;
  return wanted.value ? <button type="button" id="notify" aria-pressed="true" onClick={() => (wanted.value = false)}>notify</button>
    : <button type="button" id="notify" aria-pressed="false" data-says="when it fails or ends" onClick={() => void want()}>notify</button>;
}
