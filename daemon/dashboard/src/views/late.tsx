// Parts that few ask for are scripts of their own, loaded when somebody does.
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import * as shared from '../shared.js';

/** Its name holds its hash; build.mjs says it. */
declare const COMPARE_SCRIPT: string;

const part = signal<ComponentType | null>(null);
const problem = signal('');

async function load(): Promise<void> {
  problem.value = '';
  try {
    Object.assign(globalThis, { tofud_shared: shared });
    part.value = (await import(COMPARE_SCRIPT)).Compare;
  } catch {
    problem.value = 'tofud did not answer';
  }
}

export function LateCompare() {
  useEffect(() => void (part.value ?? load()), []);
  const Compare = part.value;
  return Compare ? <Compare /> : <p class="note">{problem.value || 'loading'}</p>;
}
