// The run page: rows in, a document out.
//   rows/     what the page knows
//   source/   who brings it: live.ts from tofud, saved.ts if the page is a file
//   choice/   what the viewer has chosen, and keeps in the address
//   values/   functions of values, no document: tests/dashboard/page has their tests
//   frame/    what stands around every view: head, tabs, menus
//   list/     resources, a line each
//   detail/   what stands beside the list: what there is to say of the run, or of one resource
//   views/    all others, one at a time
//   style/    colours first, then a file for each of these
//   gallery/  every component in every state, for tests that look at it
//   wall/     the ops wall, a page of its own
import { effect } from '@preact/signals';
import { render } from 'preact';
import { keep_choice } from './choice/address_bar.js';
import { announce } from './frame/announce.js';
import { App } from './app.js';
import { favicon } from './values/favicon.js';
import { listen } from './choice/keys.js';
import { go_live } from './source/live.js';
import { redeem, take_ticket } from './source/login.js';
import { old, run, run_id } from './rows/model.js';
import { mind_notifications } from './frame/notify.js';
import { show_saved } from './source/saved.js';
import { title } from './values/words.js';

if (!show_saved()) {
  const begin = () => go_live(new URLSearchParams(location.search).get('run'));
  const ticket = take_ticket();
  if (ticket) void redeem(ticket).then(begin);
  else begin();
}

keep_choice();
render(<App />, document.getElementById('page')!);
announce();
mind_notifications();
listen();

const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
effect(() => {
  document.title = title(run.value, old.value);
  const picture = favicon(run.value, old.value);
  if (icon && icon.href !== picture) icon.href = picture;
});
effect(() => {
  document.body.className = old.value ? 'stale' : '';
  document.body.dataset.run = run_id.value;
});
