// All that can be gone to and done, by typing: views, resources, runs, exports.
// A script of its own (frame/late.tsx).
import { exported, formats } from './exports.js';
import { address_words, choice, copy, help, open, run_id, runs, saved, shown, source, useEffect, useRef, useSignal } from '../shared.js';

interface Action {
  words: string;
  /** What kind of thing it is. */
  of: string;
  act(): void;
}

/** Named at a time: who sees more types more. */
const most = 30;

function actions(): Action[] {
  const found: Action[] = choice.views.filter(choice.is_offered)
    .map((view) => ({ words: choice.view_words[view], of: 'view', act: () => (choice.view.value = view) }));
  found.push({ words: 'Keys', of: 'help', act: () => (help.value = true) });
  found.push({ words: 'Copy the link to what is shown', of: 'copy', act: () => void copy(location.href) });
  if (choice.cursor.value) found.push({ words: `Copy the address ${choice.cursor.value}`, of: 'copy', act: () => void copy(choice.cursor.value) });
  if (choice.filtered.value) found.push({ words: 'Clear the filter', of: 'filter', act: choice.clear });
  if (!saved.value) {
    found.push({ words: 'Wall', of: 'page', act: () => location.assign('wall') }, { words: 'Runs', of: 'page', act: () => location.assign('runs') });
    for (const [format, words] of formats) found.push({ words: `Export as ${words}`, of: 'export', act: () => location.assign(exported(format)) });
  }
  for (const each of runs.value) {
    if (each.key !== run_id.value) found.push({ words: `${each.command} ${each.stack ?? each.key}, ${each.status}`, of: 'run', act: () => source.show(each.key) });
  }
  return found;
}

/** Each word of the text is in it. */
const has = (words: string, wanted: readonly string[]): boolean => wanted.every((each) => words.includes(each));

function matching(text: string): Action[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = actions().filter(({ words, of }) => has(`${of} ${words}`.toLowerCase(), wanted));
  if (wanted.length === 0) return found.slice(0, most);
  for (const row of shown.value.resource.rows) {
    if (found.length >= most) break;
    if (has(row.addr.toLowerCase(), wanted)) found.push({ words: address_words(row), of: 'resource', act: () => open(row.addr) });
  }
  return found.slice(0, most);
}

export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const text = useSignal('');
  const at = useSignal(0);
  useEffect(() => dialog.current!.showModal(), []);
  const found = matching(text.value);
  const chosen = Math.min(at.value, found.length - 1);
  const close = () => (choice.palette.value = false);
  const go = (of: Action | undefined) => {
    dialog.current!.close();
    // What had the focus has it again before something else takes it.
    if (of) setTimeout(() => of.act());
  };
  const key = (event: KeyboardEvent) => {
    if (event.key === 'Enter') go(found[chosen]);
    else if (event.key === 'ArrowDown') at.value = Math.min(chosen + 1, found.length - 1);
    else if (event.key === 'ArrowUp') at.value = Math.max(chosen - 1, 0);
    else return;
    event.preventDefault();
  };
  useEffect(() => document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: 'nearest' }), [chosen]);
  return (
    <dialog id="palette" ref={dialog} aria-label="go to" onClose={close} onClick={(event) => event.target === dialog.current && dialog.current!.close()}>
      <input type="text" role="combobox" aria-label="view, resource, run or command" placeholder="view, resource, run, command" autocomplete="off" spellcheck={false}
             aria-expanded={found.length > 0} aria-controls="palette-list" aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
             value={text.value} onKeyDown={key} onInput={(event) => { text.value = event.currentTarget.value; at.value = 0; }} />
      <ul id="palette-list" role="listbox" aria-label="what can be gone to">
        {found.map((each, i) => (
          <li key={`${each.of} ${each.words} ${i}`} id={`palette-${i}`} role="option" aria-selected={i === chosen} onClick={() => go(each)}>
            <span class="note">{each.of}</span> <bdi>{each.words}</bdi>
          </li>
        ))}
        {found.length === 0 && <li class="note">Nothing has these words.</li>}
      </ul>
    </dialog>
  );
}
