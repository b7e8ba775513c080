// The picture in the tab: a state has a colour (Okabe and Ito's, which colour-blind people tell apart) and a shape.
import type { Run } from '../../../../protocol/feed/client/client.js';

const shapes = {
  none: ['#888888', 'M8 16h16'],
  running: ['#0072B2', 'M11 8l13 8-13 8z'],
  succeeded: ['#009E73', 'M7 17l6 6 12-14'],
  failed: ['#D55E00', 'M9 9l14 14M23 9L9 23'],
  interrupted: ['#E69F00', 'M16 6v13M16 24v2'],
  lost: ['#777777', 'M11 12a5 5 0 1 1 5 6v2M16 25v1'],
  unknown: ['#777777', 'M11 12a5 5 0 1 1 5 6v2M16 25v1'],
} as const;

const made = new Map<string, string>();

/** A data: address; made of nothing from outside. */
export function favicon(run: Run | undefined, old: boolean): string {
  let state: keyof typeof shapes = 'none';
  if (run) state = old ? 'lost' : run.status === 'running' && run.counts.failed ? 'failed' : run.status;
  const [colour, path] = shapes[state] ?? shapes.none;
  let picture = made.get(state);
  if (!picture) {
    picture = 'data:image/svg+xml,' + encodeURIComponent(
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${colour}"/>` +
      `<path d="${path}" fill="${state === 'running' ? '#fff' : 'none'}" stroke="#fff" stroke-width="4" stroke-linecap="round"/></svg>`);
    made.set(state, picture);
  }
  return picture;
}
