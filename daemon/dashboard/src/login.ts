// Whether tofud knows this browser: by a cookie that no script sees, which a link's ticket can become. Only daemons ask.
import { signed_out } from './model.js';

const session = 'v1/session';

/** The ticket of a link that logs in, taken out of the page's address: no history keeps it. */
export function take_ticket(): string | null {
  const ticket = new URLSearchParams(location.hash.slice(1)).get('ticket');
  if (ticket) history.replaceState(null, '', location.pathname + location.search);
  return ticket;
}

/** Whoever sees this page is known already; a ticket that is good no more takes nothing from them. */
export async function redeem(ticket: string): Promise<void> {
  const asking = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ ticket }) };
  await fetch(session, asking).catch(() => undefined);
}

/** A lost connection may be one that tofud will not have any more: a browser does not tell a script. */
export async function ask_whether_known(reason: string): Promise<void> {
  const answer = await fetch(session).catch(() => undefined);
  if (answer?.status === 401) signed_out.value = reason;
}

export async function log_out(): Promise<void> {
  await fetch(session, { method: 'DELETE' }).catch(() => undefined);
  log_in();
}

/** tofud answers with its page to log in, and leads back here. */
export function log_in(): void {
  location.reload();
}
