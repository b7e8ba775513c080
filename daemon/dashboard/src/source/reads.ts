// Asks tofud for what the feed does not bring. What fails is an Error with a sentence.
import type { Log, Run } from '../../../../protocol/feed/client/client.js';
import type { Part, PlanRow } from '../values/change.js';
import type { OrderStep } from '../values/order_graph.js';
import type { HistoryEntry } from '../values/history_entry.js';
import { parse } from '../values/json_text.js';
import type { Source } from '../rows/model.js';
import { most_held, StreamLines } from '../rows/stream_lines.js';

/** Of the runs of a stack, when one to compare with is looked for: so many at a time, and so many times. */
const listed_at_a_time = 100;
const most_pages = 10;

/** Lines fetched for one log. */
const most_fetched = 200_000;

async function asked_for(path: string, signal?: AbortSignal): Promise<Response> {
  const answer = await fetch(path, { signal: signal ?? null }).catch(() => null);
  if (!answer) throw new Error('tofud did not answer');
  if (answer.ok) return answer;
  // A proxy's answers are none of ours.
  const ours = answer.headers.get('Content-Type')?.startsWith('application/json');
  throw new Error(ours ? parse<{ message: string }>(await answer.text()).message : `${answer.status}`);
}

const document_at = async <T>(path: string, stop?: AbortSignal): Promise<T> => parse<T>(await (await asked_for(path, stop)).text());

/** Lines as they come, many at a time. One that is not ended yet is not given out, but at the end. */
async function* lines_of(answer: Response): AsyncGenerator<string[]> {
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = () => reader.read().catch(() => Promise.reject(new Error('the connection was lost')));
  for (let piece = await next(); !piece.done; piece = await next()) {
    const whole = (rest + piece.value).split('\n');
    rest = whole.pop()!;
    yield whole;
  }
  if (rest) yield [rest];
}

const of_run = (run: string) => `v1/runs/${encodeURIComponent(run)}`;

async function log(run: string, addr: string): Promise<Log[]> {
  let lines: string[] = [];
  for await (const more of lines_of(await asked_for(`${of_run(run)}/log?addr=${encodeURIComponent(addr)}`))) {
    for (const line of more) lines.push(line);
    // However many come before the newest.
    if (lines.length > 2 * most_fetched) lines = lines.slice(-most_fetched);
  }
  // A `*` of an address is a pattern to tofud.
  return lines.slice(-most_fetched).map((text) => JSON.parse(text) as Log).filter((line) => line.addr === addr);
}

async function diff(run: string, addr: string, part: Part): Promise<PlanRow[]> {
  const query = new URLSearchParams({ addr });
  if (part.path && part.path.length > 0) query.set('path', JSON.stringify(part.path));
  if (part.from) query.set('from', `${part.from}`);
  if (part.unchanged) query.set('unchanged', '1');
  return (await document_at<{ rows: PlanRow[] }>(`${of_run(run)}/diff?${query}`)).rows;
}

/** Rows of a plan that are taken: more can't be reviewed by anybody. */
const most_planned = 20_000;

async function plan(run: string, stop: AbortSignal): Promise<PlanRow[]> {
  const rows: PlanRow[] = [];
  for await (const lines of lines_of(await asked_for(`${of_run(run)}/plan?format=rows`, stop))) {
    for (const line of lines) {
      const row = parse<PlanRow & { error?: string }>(line);
      if (row.error) throw new Error(row.error);
      if (row.kind === 'resource' && rows.length < most_planned) rows.push(row);
    }
  }
  return rows;
}

async function order(run: string, stop: AbortSignal): Promise<OrderStep[]> {
  const { steps, problem } = await document_at<{ steps: OrderStep[]; problem?: string }>(`${of_run(run)}/order`, stop);
  if (problem) throw new Error(problem);
  return steps;
}

async function history(stack: string, addr: string): Promise<HistoryEntry[]> {
  const query = new URLSearchParams({ stack, addr }).toString().replace(/\+/g, '%20');
  return (await document_at<{ entries: HistoryEntry[] }>(`v1/history?${query}`)).entries;
}

async function older(of: Run, enough: (found: Run[]) => boolean): Promise<Run[]> {
  const found: Run[] = [];
  const query = new URLSearchParams({ stack: of.stack ?? '', until: of.key, limit: `${listed_at_a_time}` });
  for (let page = 0; page < most_pages; page++) {
    const said = query.toString().replace(/\+/g, '%20'); // a plus is a plus to tofud
    const { runs, next } = await document_at<{ runs: Run[]; next: string | null }>(`v1/runs?${said}`);
    found.push(...runs);
    if (!next || enough(found)) break;
    query.set('cursor', next);
  }
  return found;
}

async function stream(run: string, stop: AbortSignal, take: (lines: StreamLines) => void): Promise<void> {
  const answer = await asked_for(`${of_run(run)}/stream.jsonl?last=${most_held}&follow=1`, stop);
  const held = new StreamLines(answer.headers.get('Stream-Offset') !== '0');
  for await (const more of lines_of(answer)) {
    held.add(more);
    take(held);
  }
}

export const reads: Omit<Source, 'show'> = { diff, plan, order, older, rows: (run, at, stop) => document_at(of_run(run) + (at === undefined ? '' : `?at=${at}`), stop), stream, history, log };
