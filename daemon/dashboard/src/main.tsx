// The run page: rows in, a document out. live.ts brings the rows, or saved.ts if the page is a file.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { keep_choice } from './address_bar.js';
import { announce } from './announce.js';
import { App } from './app.js';
import { favicon } from './favicon.js';
import { listen } from './keys.js';
import { go_live } from './live.js';
import { redeem, take_ticket } from './login.js';
import { old, run, run_id } from './model.js';
import { mind_notifications } from './notify.js';
import { show_saved } from './saved.js';
import { title } from './words.js';

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
