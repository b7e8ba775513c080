// Whether tofud knows this browser. Only daemons ask.
import { signed_out } from '../rows/model.js';
import { is_known } from './session.js';

export { log_in, log_out, redeem, take_ticket } from './session.js';

/** What tofud said when it closed a connection. Those that it refuses after that get no reason, and may be done first. */
let told = '';

/** A lost connection may be one that tofud will not have any more: a browser does not tell a script. */
export async function ask_whether_known(reason: string | undefined): Promise<void> {
  told = reason ?? told;
  if (signed_out.value) return;
  if (!(await is_known())) signed_out.value = told || 'this browser is no longer logged in';
}

export function is_logged_in(): void {
  told = '';
  signed_out.value = '';
}
