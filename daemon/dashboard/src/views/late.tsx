// Parts that few ask for are a script of their own, loaded when somebody does.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../../../../protocol/feed/client/client.js';
import type * as late from '../late_parts.js';
import { shown } from '../rows/model.js';
import * as shared from '../shared.js';

/** Its name holds its hash; build.mjs says it. */
declare const LATE_SCRIPT: string;

const parts = signal<typeof late | null>(null);
const problem = signal('');

async function load(): Promise<void> {
  problem.value = '';
  try {
    Object.assign(globalThis, { tofud_shared: shared });
    parts.value = await import(LATE_SCRIPT);
  } catch {
    problem.value = 'tofud did not answer';
  }
}

const load_once = () => useEffect(() => void (parts.value ?? load()), []);

export function LateCompare() {
  load_once();
  const Compare = parts.value?.Compare;
  return Compare ? <Compare /> : <p class="note">{problem.value || 'loading'}</p>;
}

export function LateStream({ of }: { of: string }) {
  load_once();
  const WholeStream = parts.value?.WholeStream;
  return WholeStream ? <WholeStream of={of} /> : <p class="note">{problem.value || 'loading'}</p>;
}

function Asked() {
  load_once();
  const Tests = parts.value?.Tests;
  return Tests ? <Tests /> : <p class="note">{problem.value || 'loading'}</p>;
}

/** Of a run that has some. */
export function LateTests() {
  const some = shown.value.test_file.rows.length + shown.value.test_run.rows.length > 0;
  return some ? <Asked /> : null;
}

export function LateWaterfall() {
  load_once();
  const Waterfall = parts.value?.Waterfall;
  return Waterfall ? <Waterfall /> : <p class="note">{problem.value || 'loading'}</p>;
}

/** Nothing until it is there: who looks at a resource did not ask for it. */
export function LateHistory({ of }: { of: Resource }) {
  load_once();
  const History = parts.value?.History;
  return History ? <History of={of} /> : null;
}
