// Whether tofud knows this browser. Only daemons ask.
import { signed_out } from '../rows/model.js';
import { is_known } from './session.js';

export { log_in, log_out, redeem, take_ticket } from './session.js';

/** A lost connection may be one that tofud will not have any more: a browser does not tell a script. */
export async function ask_whether_known(reason: string): Promise<void> {
  if (!(await is_known())) signed_out.value = reason;
}
