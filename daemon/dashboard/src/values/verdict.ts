// How a run stands, as a sentence that somebody could read aloud.
import type { Counts, Resource, Run } from '../../../../protocol/feed/client/client.js';
import { plan_words, planned_action } from './groups.js';
import { duration, leads_to_the_web } from './words.js';

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** "3 added, 1 changed"; what there is none of is left out. */
function changed(of: Counts): string {
  const words = [['add', 'added'], ['change', 'changed'], ['remove', 'destroyed'], ['import', 'imported'], ['forget', 'forgotten']] as const;
  return words.filter(([name]) => of[name]).map(([name, word]) => `${of[name]} ${word}`).join(', ');
}

/** "destroys 2, replaces 6, changes 1", what can't be got back first. */
export function planned(rows: readonly Resource[]): string {
  const counts = new Map<string, number>();
  for (const row of rows) {
    for (const { action } of row.plan) {
      const what = planned_action(action);
      counts.set(what, (counts.get(what) ?? 0) + 1);
    }
  }
  return plan_words.filter(({ is }) => counts.get(is)).map(({ is, word }) => `${word} ${counts.get(is)}`).join(', ');
}

/** What became of the resources, those of which something is to be said first. */
function became(of: Run, ...words: readonly (readonly [status: string, word: string])[]): string {
  return words.filter(([status]) => of.counts[status]).map(([status, word]) => `${of.counts[status]} ${word}`).join(', ');
}

const took = (of: Run): string => (of.started_at && of.ended_at ? duration(Date.parse(of.ended_at) - Date.parse(of.started_at)) : '');

const after = (of: Run) => (took(of) ? ` after ${took(of)}` : '');
const and_so = (words: string) => (words ? `: ${words}` : '');

/** Empty: there is nothing to say yet. `rows` are looked at of a plan that is over. */
export function verdict(of: Run, rows: () => readonly Resource[]): string {
  const { done, total } = of.progress;
  const what = of.command === 'other' ? 'run' : of.command;
  const failed = of.counts.failed ? `${of.counts.failed}${total ? ` of ${total}` : ''} failed` : '';
  switch (of.status) {
    case 'running':
      if (of.phase === 'approval') return `Waits for approval${and_so(planned(rows()))}`;
      if (of.phase === 'plan') return 'Planning';
      if (failed) return [failed, `${done} done`, 'going on'].join(', ');
      return total ? `${done} of ${total} done${of.counts.running ? `, ${of.counts.running} running` : ''}` : '';
    case 'succeeded':
      if (of.command === 'plan') return `Plan: ${planned(rows()) || 'nothing changes'}`;
      if (of.applied) return `${capital(what)} succeeded${after(of)}${and_so(changed(of.applied) || 'nothing to change')}`;
      return `${capital(what)} succeeded${after(of)}`;
    case 'failed': {
      if (!total && !failed) {
        const errors = of.diagnostics.error;
        return `${of.command === 'other' ? 'Failed before planning' : `${capital(what)} failed`}${after(of)}${errors ? `: ${errors} ${errors === 1 ? 'error' : 'errors'}` : ''}`;
      }
      return `${capital(what)} stopped${after(of)}: ${[failed || `${of.diagnostics.error} errors`, became(of, ['interrupted', 'never finished'], ['skipped', 'never started'])].filter(Boolean).join(', ')}`;
    }
    case 'interrupted':
      return `Interrupted${after(of)}${and_so(became(of, ['failed', 'failed'], ['interrupted', 'never finished'], ['skipped', 'never started'], ['done', 'done']))}`;
    case 'lost':
      return `Nobody tells of it any more${and_so(became(of, ['failed', 'failed'], ['interrupted', 'under way'], ['planned', 'not begun'], ['done', 'done']))}`;
    default:
      return '';
  }
}

/** Where one approves, as the sender's label `url` says: an address of the web, and nothing else. */
export const approve_at = (labels: Run['labels']): string => (leads_to_the_web(labels['url'] ?? '') ? labels['url']! : '');

/** "ada · 1a2b3c4 on main": who the sender says it was, as far as it does. */
export function who(labels: Run['labels']): string {
  const commit = labels['commit']?.slice(0, 7) ?? '';
  const branch = labels['branch'] ? `${commit ? 'on ' : ''}${labels['branch']}` : '';
  return [labels['actor'], [commit, branch].filter(Boolean).join(' ')].filter(Boolean).join(' · ');
}
