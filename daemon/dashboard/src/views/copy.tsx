// A button that puts a text where others can be pasted from.
import { useSignal } from '@preact/signals';

/** `text` is asked for when it is wanted. */
export function Copy({ text, label }: { text(): string; label: string }) {
  const said = useSignal('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text());
      said.value = 'copied';
    } catch {
      said.value = 'the browser does not allow it';
    }
    setTimeout(() => (said.value = ''), 2000);
  };
  return <button type="button" class="copy" data-copies={label} onClick={copy}>{said.value || `copy ${label}`.trim()}</button>;
}
