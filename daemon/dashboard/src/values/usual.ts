// What is usual, in words.
import type { Forecast, Resource, Step, Usual } from '../../../../protocol/feed/client/client.js';
import { seconds } from './words.js';

/** What usually takes less is over before anybody reads it. */
const least_told = 5;

/** Whether a step takes longer than others did. */
export const is_slower = (known: Usual, elapsed: number): boolean =>
  known.count >= 3 && elapsed > known.p80_s && elapsed > 1.5 * known.p50_s;

const fails = 'fails now and then';

/** What is said of what has not begun. */
export const planned_words = (of: Forecast | undefined): string => (of && Object.values(of.usual).some((each) => each.flaky) ? fails : '');

/** Why it has not begun, such as `waits for aws_vpc.main, 3 more`; or what it keeps from it. */
export function causes_words(of: Resource, most = 1): string {
  if (of.strands) return `${of.strands} behind it`;
  const names = of.behind ?? of.waiting_for ?? [];
  const rest = Math.max(names.length - most, 0) + ((of.behind ? of.behind_more : of.waiting_for_more) ?? 0);
  const said = [...names.slice(0, most), rest && `${rest} more`].filter(Boolean).join(', ');
  return said && (of.behind ? 'behind ' : 'waits for ') + said;
}

/** What a running step usually takes, such as `usually 2m0s`; nothing where that tells nothing. `elapsed`: seconds. */
export function usual_words(of: Forecast | undefined, step: Step | undefined, elapsed: number): { text: string; slower: boolean } | null {
  const known = step && of && Object.hasOwn(of.usual, step.action) ? of.usual[step.action] : undefined;
  if (!known) return null;
  const slower = is_slower(known, elapsed);
  if (known.p50_s < least_told && (!slower || elapsed < 1)) return null;
  const times = slower ? ` (${known.count} times)` : '';
  return { text: `usually ${seconds(known.p50_s)}${times}${known.flaky ? `, ${fails}` : ''}`, slower };
}

/** As exact as anybody reads it. */
export const rounded = (s: number): number => (s < 10 ? Math.round(s * 10) / 10 : Math.round(s));
