// The modules of the configuration as a tree, each with what has become of all that is in it. Choosing one filters the table.
import { useSignal } from '@preact/signals';
import * as choice from '../choice/choice.js';
import { shown } from '../rows/model.js';
import type { ModuleNode } from '../rows/module_counts.js';
import { MenuBox } from '../frame/menu_box.js';
import { module_words } from '../values/address.js';
import { statuses } from '../values/words.js';

/** Drawn before somebody asks for more: a thousand instances of a module must not freeze the page. */
const at_first = 50;

const in_words = (of: ModuleNode) =>
  statuses.filter((name) => of.counts[name]).map((name) => `${of.counts[name]} ${name}`).join(', ');

function Share({ of }: { of: ModuleNode }) {
  return (
    <span class="share" aria-hidden="true">
      {statuses.filter((name) => of.counts[name]).map((name) => (
        <span key={name} class="part" data-status={name} style={{ flexGrow: of.counts[name] }} />
      ))}
    </span>
  );
}

function Module({ of }: { of: ModuleNode }) {
  const chosen = choice.module.value === of.path;
  const failed = of.counts.failed ?? 0;
  return (
    <li>
      <button type="button" class="module" data-module={of.path} aria-pressed={chosen} data-says={`${of.path || 'root module'}: ${in_words(of)}`}
              onClick={() => (choice.module.value = chosen ? null : of.path)}>
        <span class="name">{of.name || '(root module)'}</span>
        <Share of={of} />
        {failed > 0 ? <span class="count state" data-status="failed">{failed}<span class="unseen"> failed</span></span>
          : <span class="count note">{`${(of.counts.done ?? 0) + (of.counts.unchanged ?? 0)}/${of.total}`}</span>}
      </button>
      {of.children.length > 0 && <Inside of={of} />}
    </li>
  );
}

function Inside({ of }: { of: ModuleNode }) {
  const everything = useSignal(false);
  const drawn = everything.value ? of.children : of.children.slice(0, at_first);
  return (
    <ul>
      {drawn.map((each) => <Module key={each.path} of={each} />)}
      {drawn.length < of.children.length && (
        <li><button type="button" class="more" onClick={() => (everything.value = true)}>{`show all ${of.children.length}`}</button></li>
      )}
    </ul>
  );
}

/** From so many on there is a field to find one. */
const field_from = 12;

function found_in(of: ModuleNode, wanted: string): ModuleNode[] {
  const inside = of.children.flatMap((each) => found_in(each, wanted));
  // Without what is in it: that is found for itself.
  return of.path && of.path.toLowerCase().includes(wanted) ? [{ ...of, name: module_words(of.path), children: [] }, ...inside] : inside;
}

const count_of = (of: ModuleNode): number => of.children.reduce((sum, each) => sum + 1 + count_of(each), 0);

function Tree() {
  const wanted = useSignal('');
  const all = shown.value.tree.value;
  const text = wanted.value.trim().toLowerCase();
  const found = text ? { ...all, children: found_in(all, text) } : all;
  return (
    <>
      {count_of(all) >= field_from && <input type="search" name="find-module" class="find-module" placeholder="find a module" aria-label="find a module" autocomplete="off" spellcheck={false}
                                             value={wanted.value} onInput={(event) => (wanted.value = event.currentTarget.value)} />}
      {text && found.children.length === 0 && <p class="note">No module has this in its name.</p>}
      <Inside key={text} of={found} />
    </>
  );
}

/** Any module but the root one. */
export const has_modules = (): boolean => shown.value.tree.value.children.some((each) => each.path !== '');

/** A pane of its own where there is room, else a menu of the filter. */
export function Modules({ pane = false }: { pane?: boolean }) {
  if (!has_modules() || pane !== choice.modules_beside.value) return null;
  const tree = <Tree />;
  return pane ? <nav id="modules" class="pane" aria-label="modules">{tree}</nav>
    : <MenuBox id="modules" words={choice.module.value === null ? 'modules' : module_words(choice.module.value) || '(root module)'}>{tree}</MenuBox>;
}
