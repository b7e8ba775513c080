// The page: its head, the views, and one of them.
import { useEffect } from 'preact/hooks';
import { beside, is_offered, modules_beside, opened, scrubbing, view } from './choice/choice.js';
import { said } from './choice/clipboard.js';
import { Answer } from './detail/answer.js';
import { Announcer } from './frame/announce.js';
import { Late, load_soon } from './frame/late.js';
import { Nothing } from './frame/nothing.js';
import { Says } from './frame/says.js';
import { Tabs } from './frame/tabs.js';
import { Top } from './frame/top.js';
import { Filter, FilteredList } from './list/list.js';
import { has_modules, Modules } from './list/modules.js';
import { run, saved, shown } from './rows/model.js';

/** The list, and beside it what there is to say of the run or of the resource that was chosen. */
function Overview() {
  const modules = modules_beside.value && has_modules();
  const tests = shown.value.test_file.rows.length + shown.value.test_run.rows.length > 0;
  // Tests have what went wrong in their tree.
  if (tests && !opened.value) return <div class="pane"><Late part="Tests" /><FilteredList /><Answer /></div>;
  const list = <section key="list" class="pane list" aria-label="resources">{tests && <Late part="Tests" />}<FilteredList /></section>;
  const chosen = beside.value && opened.value !== '';
  const answer = <section key="answer" class="pane answer" aria-label="detail">{chosen ? <Late part="OneResource" /> : <Answer />}</section>;
  return (
    <div class="panes" data-modules={modules ? 'yes' : undefined}>
      {beside.value ? [modules && <Modules key="modules" pane />, list, answer] : [answer, list]}
    </div>
  );
}

function Chosen() {
  switch (is_offered(view.value) ? view.value : 'overview') {
    case 'resources':
      return <section class="pane list" aria-label="resources"><FilteredList /></section>;
    case 'graph':
      return <section class="pane list" aria-label="graph"><Filter plain /><Late part="GraphView" /></section>;
    case 'waterfall':
      return <section class="pane list" aria-label="timeline"><Filter /><Late part="Waterfall" /></section>;
    case 'plan':
      return <div class="pane"><Filter plain /><Late part="PlanView" /></div>;
    case 'log':
      return <div class="pane"><Late part="LogView" /></div>;
    case 'outputs':
      return <div class="pane"><Late part="Outputs" /></div>;
    case 'compare':
      return <section class="pane list" aria-label="compare">{shown.value.resource.rows.length > 0 && <Filter plain />}<Late part="Compare" /></section>;
    default:
      return <Overview />;
  }
}

export function App() {
  useEffect(load_soon, []);
  const sheet = opened.value !== '' && !(beside.value && view.value === 'overview');
  const nothing = !run.value && !saved.value;
  return (
    <>
      <Top />
      <Tabs />
      {scrubbing.value && <Late part="AsOf" quiet />}
      <main data-view={view.value}>{nothing ? <Nothing /> : <Chosen />}</main>
      {sheet && <Late part="OneResource" given={{ sheet: true }} />}
      {said.value && <p id="toast" role="status">{said.value}</p>}
      <Announcer />
      <Says />
    </>
  );
}
