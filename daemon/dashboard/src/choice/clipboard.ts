// Puts a text where others can be pasted from.
import { signal } from '@preact/signals';

/** What became of the last copy that no button was pressed for; empty again after a while. */
export const said = signal('');

const said_ms = 2000;

export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** For a key: what became of it is a message of its own. */
export async function copy(text: string): Promise<void> {
  said.value = (await copied(text)) ? `Copied: ${text}` : 'The browser does not allow pages to copy';
  setTimeout(() => (said.value = ''), said_ms);
}
