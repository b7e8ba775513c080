// A button that puts a text where others can be pasted from.
import { useSignal } from '@preact/signals';
import { copied } from '../choice/clipboard.js';

/** `text` is asked for when it is wanted. `words`: what the button says. */
export function Copy({ text, label, words }: { text(): string; label: string; words?: string }) {
  const said = useSignal('');
  const copy = async () => {
    said.value = (await copied(text())) ? 'copied' : 'the browser does not allow it';
    setTimeout(() => (said.value = ''), 2000);
  };
  return <button type="button" class="copy" data-copies={label} onClick={copy}>{said.value || words || `copy ${label}`.trim()}</button>;
}
