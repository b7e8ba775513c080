// Parts that are not needed for the first look are a script and a style of their own, loaded when the page has been drawn.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import type * as late from '../late_parts.js';
import * as shared from '../shared.js';

/** Their names hold their hashes; build.mjs says them. The style of a report is in it. */
declare const LATE_SCRIPT: string;
declare const LATE_STYLE: string;

const parts = signal<typeof late | null>(null);
const problem = signal('');
let loading = false;

/** In the style sheet's place, so that what comes after it goes on to win. */
function add_style(): Promise<void> {
  const own = document.querySelector<HTMLLinkElement>('link[rel=stylesheet]');
  if (!own || document.querySelector(`link[href="${LATE_STYLE}"]`)) return Promise.resolve();
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = LATE_STYLE;
  return new Promise((then, fail) => {
    link.onload = () => then();
    link.onerror = () => {
      link.remove();
      fail(new Error('no style'));
    };
    own.after(link);
  });
}

async function load(): Promise<void> {
  if (loading || parts.value) return;
  loading = true;
  problem.value = '';
  try {
    Object.assign(globalThis, { tofud_shared: shared });
    const [script] = await Promise.all([import(LATE_SCRIPT) as Promise<typeof late>, add_style()]);
    parts.value = script;
  } catch {
    problem.value = 'tofud did not answer';
  }
  loading = false;
}

/** Who looks at the page is likely to ask for one of them. */
export const load_soon = (): void => void setTimeout(() => void load());

type Part = keyof typeof late;
type Given<P extends Part> = (typeof late)[P] extends ComponentType<infer G> ? G : (typeof late)[P] extends (given: infer G) => unknown ? G : object;

/** `quiet`: nothing is said until it is there. */
export function Late<P extends Part>({ part, given, quiet = false }: { part: P; given?: Given<P>; quiet?: boolean }) {
  useEffect(() => void load(), []);
  const Found = parts.value?.[part] as ComponentType<object> | undefined;
  if (Found) return <Found {...(given ?? {})} />;
  return quiet ? null : <p class="note">{problem.value || 'loading'}</p>;
}
