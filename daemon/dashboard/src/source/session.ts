// What a page has to do with logging in: the ticket of a link becomes a cookie that no script sees.
const session = 'v1/session';

/** What `GET v1/session` answers. */
export interface JsonSession {
  who: string;
  scopes: string;
  within?: string; // the stacks and labels that are seen; none: all
}

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

/** False: tofud does not know this browser. No answer at all says nothing of that. */
export async function is_known(): Promise<boolean> {
  const answer = await fetch(session).catch(() => undefined);
  return answer?.status !== 401;
}

export async function log_out(): Promise<void> {
  await fetch(session, { method: 'DELETE' }).catch(() => undefined);
  log_in();
}

/** tofud answers with its page to log in, and leads back here. */
export function log_in(): void {
  location.reload();
}
