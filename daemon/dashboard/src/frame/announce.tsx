// What a screen reader is told without being asked: how far it is, a sentence every seven seconds at most; each failure once.
import { effect, signal } from '@preact/signals';
import type { Run } from '../../../../protocol/feed/client/client.js';
import { link, run, saved, shown, signed_out } from '../rows/model.js';
import { progress_text } from '../values/progress.js';
import { failures } from '../values/words.js';

const pause_ms = 7000;

const status = signal('');
const alert = signal('');

function sentence(of: Run | undefined): string {
  const parts: string[] = [];
  const { is } = link.value;
  if (!saved.value && is !== 'live' && is !== 'catching up' && is !== 'connecting') {
    parts.push(is === 'over' ? 'tofud has ended' : is === 'stale' ? 'no data for a while'
      : signed_out.value ? 'signed out, log in to go on' : 'connection lost');
  }
  if (of) {
    parts.push(of.status === 'running' ? of.phase : `${of.command} ${of.status}`);
    if (of.progress.total) parts.push(of.command === 'plan' ? progress_text(of) : `${of.progress.done} of ${of.progress.total} done`);
    if (failures(of)) parts.push(`${failures(of)} failed`);
  }
  return parts.join(', ');
}

/** Calls `say` with the newest of `text` at most once a pause. */
function throttled(text: () => string, say: (text: string) => void): void {
  let waiting = 0;
  let said = '';
  const speak = () => {
    waiting = 0;
    const now = text();
    if (now === said) return;
    said = now;
    say(now);
    waiting = window.setTimeout(speak, pause_ms);
  };
  effect(() => {
    text();
    waiting ||= window.setTimeout(speak, 200);
  });
}

export function announce(): void {
  throttled(() => sentence(run.value), (text) => (status.value = text));
  let told = new Set<string>();
  let of: unknown = null;
  throttled(
    () => {
      const { resource, diagnostic } = shown.value;
      const failed = resource.rows.filter((row) => row.status === 'failed').map((row) => row.addr);
      for (const row of diagnostic.rows) {
        if (row.severity === 'error' && !row.address) failed.push(row.summary);
      }
      return failed.join('\n');
    },
    (text) => {
      if (of !== shown.value) told = new Set();
      of = shown.value;
      const fresh = text.split('\n').filter((each) => each && !told.has(each));
      fresh.forEach((each) => told.add(each));
      if (fresh.length === 0) return;
      alert.value = fresh.length > 3 ? `${fresh.length} failed: ${fresh.slice(0, 3).join(', ')} and more` : `failed: ${fresh.join(', ')}`;
    },
  );
}

export function Announcer() {
  return (
    <>
      <p id="spoken" role="status" class="unseen">{status.value}</p>
      <p id="alert" role="alert" class="unseen">{alert.value}</p>
    </>
  );
}
