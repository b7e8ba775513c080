// What comes before what: blocks in layers from left to right, known before the first of them begins.
// A script of its own (frame/late.tsx).
import { choice, computed, open, run, run_id, shown, ShownAddress, signs, source, useEffect, useMemo, useRef, useSignal } from '../shared.js';
import { module_words, shown_address } from '../values/address.js';
import { critical_path } from '../values/chain.js';
import { drawn_state, state_words, states_of, type NodeState } from '../values/graph_states.js';
import { block_of, graph_of, modules_around, open_levels, type Graph, type GraphNode, type OrderStep } from '../values/order_graph.js';
import { module_of } from '../rows/module_counts.js';
import { lanes_of } from '../values/timeline.js';

/** CSS pixels of a node, and from one to the next; style/graph.css has the same. */
const [wide, high, across, down] = [248, 40, 308, 50];
const margin = 16;
/** Addresses of a chosen block that are named. */
const named = 12;
const smallest = .25;
/** Letters of a name: of a longer one the middle is left out. */
const letters = 27;

const x_of = (node: GraphNode): number => margin + node.layer * across;
const y_of = (node: GraphNode): number => margin + node.y * down;

interface Sight {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The name is what people look for; the type gives way before it. */
function named_apart(node: GraphNode): [name: string, type: string] {
  if (node.is_module) return [module_words(node.address), 'module'];
  const { name } = shown_address({ addr: node.address, module: module_of(node.address) });
  const at = name.lastIndexOf('.');
  return [name.slice(at + 1), name.slice(0, Math.max(at, 0))];
}

const middle_left_out = (name: string): string =>
  (name.length <= letters ? name : `${name.slice(0, letters >> 1)}…${name.slice(-(letters >> 1))}`);

const action_of = (node: GraphNode, { rows }: NodeState): string => {
  if (node.does !== 'make') return 'delete';
  const first = rows[0]?.plan[0]?.action;
  return first === 'replace' || !first ? 'create' : first;
};

interface NodeProps {
  of: GraphNode;
  at: number;
  state: NodeState;
  /** This run's end waits for it. */
  critical: boolean;
  /** The chosen one; or one beside it. */
  relation: 'chosen' | 'before' | 'after' | undefined;
  faint: boolean;
  focus: boolean;
  choose(at: number): void;
}

function Node({ of, at, state, critical, relation, faint, focus, choose }: NodeProps) {
  const action = action_of(of, state);
  const [name, type] = named_apart(of);
  const words = state_words(state);
  const count = state.total || of.steps.length;
  return (
    <button type="button" class="graph-node" style={{ transform: `translate(${x_of(of)}px, ${y_of(of)}px)` }} data-node={of.key} data-module={of.is_module || undefined}
            data-critical={critical || undefined} data-relation={relation} data-faint={faint || undefined} data-stranded={state.stranded > 0 || undefined}
            tabIndex={focus ? 0 : -1} aria-pressed={relation === 'chosen'}
            onClick={() => choose(at)}>
      <span class="state" data-status={drawn_state(state)} />
      <span class="what"><span class="sign" data-action={action} aria-hidden="true">{signs[action] ?? ''}</span><span class="unseen">{action}</span> <bdi>{middle_left_out(name)}</bdi>{count > 1 && <span class="note">{` ×${count}`}</span>}</span>
      <span class="more">{[words, type, !of.is_module && module_words(module_of(of.address))].filter(Boolean).join(' · ')}{critical && <span class="unseen">, on the critical path</span>}</span>
    </button>
  );
}

function edge_path(from: GraphNode, to: GraphNode): string {
  const [x, y, to_x, to_y] = [x_of(from) + wide, y_of(from) + high / 2, x_of(to), y_of(to) + high / 2];
  const bend = Math.max(24, Math.abs(to_x - x) / 2);
  return `M${x} ${y}C${x + bend} ${y} ${to_x - bend} ${to_y} ${to_x} ${to_y}`;
}

const meets = (sight: Sight, left: number, top: number, right: number, bottom: number): boolean =>
  left < sight.right && right > sight.left && top < sight.bottom && bottom > sight.top;

function Edges({ graph, sight, chosen, critical, width, height }: { graph: Graph; sight: Sight; chosen: number; critical: ReadonlySet<number>; width: number; height: number }) {
  const drawn = [];
  for (let to = 0; to < graph.nodes.length; to++) {
    const node = graph.nodes[to]!;
    for (const before of node.before) {
      const from = graph.nodes[before]!;
      const [top, bottom] = [Math.min(y_of(from), y_of(node)), Math.max(y_of(from), y_of(node)) + high];
      if (!meets(sight, Math.min(x_of(from), x_of(node)), top, Math.max(x_of(from), x_of(node)) + wide, bottom)) continue;
      const is = before === chosen || to === chosen ? 'chosen' : critical.has(to) && critical.has(before) ? 'critical' : undefined;
      drawn.push(<path key={`${before} ${to}`} d={edge_path(from, node)} data-is={is} />);
    }
  }
  return <svg width={width} height={height} aria-hidden="true">{drawn}</svg>;
}

/** What the end of the run waits for: as expected, or as it came. */
function critical_blocks(): Set<string> {
  const expected = shown.value.forecast.get(run_id.value)?.estimate?.critical_path;
  const addrs = expected && run.value?.status === 'running' ? expected.map(({ addr }) => addr)
    : run.value?.status === 'running' || run.value?.command === 'plan' ? []
      : critical_path(lanes_of(shown.value.resource.rows, Date.parse(run.value?.last_line_at ?? '')).lanes).map(({ of }) => of.addr);
  return new Set(addrs.map(block_of));
}

function Chosen({ of, state, graph, go }: { of: GraphNode; state: NodeState; graph: Graph; go(at: number): void }) {
  const names = (title: string, all: readonly number[]) => (
    <p>{title} {all.length === 0 ? 'nothing' : all.slice(0, named).map((at) => (
      <button key={at} type="button" class="text" onClick={() => go(at)}>{graph.nodes[at]!.is_module ? module_words(graph.nodes[at]!.address) : graph.nodes[at]!.address}</button>
    ))}{all.length > named && ` and ${all.length - named} more`}</p>
  );
  return (
    <section id="graph-chosen" aria-label="chosen block" aria-live="polite">
      <h2><bdi>{of.address}</bdi> <span class="note">{state_words(state)}</span></h2>
      {names('Waits for', of.before)}
      {names('Before', of.after)}
      {!of.is_module && <p class="resources">{state.rows.slice(0, named).map((row) => (
        <span key={row.addr}><span class="state" data-status={row.status} /><ShownAddress of={row} /></span>
      ))}{state.rows.length > named && ` and ${state.rows.length - named} more`}</p>}
    </section>
  );
}

interface DrawingProps {
  steps: readonly OrderStep[];
}

function Drawing({ steps }: DrawingProps) {
  const folds = useSignal<ReadonlyMap<string, boolean>>(new Map());
  const levels = useMemo(() => open_levels(steps), [steps]);
  const graph = useMemo(() => graph_of(steps, levels, folds.value), [steps, levels, folds.value]);
  const modules = useMemo(() => [...new Set(steps.flatMap(({ block }) => modules_around(block)))], [steps]);
  const all_modules = (open: boolean) => (folds.value = new Map(modules.map((each) => [each, open])));
  const chosen_key = useSignal('');
  const scale = useSignal(1);
  const sight = useSignal<Sight>({ left: 0, top: 0, right: 2000, bottom: 1500 });
  const box = useRef<HTMLDivElement>(null);
  const focus_soon = useRef(false);
  // As rows change, not as somebody scrolls.
  const known = useMemo(() => ({
    states: computed(() => states_of(graph.nodes, steps, shown.value.resource.rows)),
    passing: computed(() => (choice.filtered.value ? states_of(graph.nodes, steps, choice.resources.value) : null)),
    critical: computed(() => {
      const names = critical_blocks();
      return new Set(graph.nodes.flatMap((node, i) => (node.steps.some((step) => names.has(steps[step]!.block)) ? [i] : [])));
    }),
  }), [graph]);
  const [states, passing, critical] = [known.states.value, known.passing.value, known.critical.value];
  const chosen = graph.nodes.findIndex(({ key }) => key === chosen_key.value);
  const [width, height] = [graph.layers * across + 2 * margin, graph.height * down + 2 * margin];

  const look = () => {
    const at = box.current;
    if (!at) return;
    const part = scale.peek();
    const next = { left: at.scrollLeft / part - across, top: at.scrollTop / part - 200, right: (at.scrollLeft + at.clientWidth) / part + across, bottom: (at.scrollTop + at.clientHeight) / part + 200 };
    const last = sight.peek();
    // Not with every pixel.
    if (Math.abs(next.left - last.left) + Math.abs(next.top - last.top) + Math.abs(next.right - last.right) + Math.abs(next.bottom - last.bottom) > 60) sight.value = next;
  };
  useEffect(() => {
    look();
    const watch = new ResizeObserver(look);
    watch.observe(box.current!);
    return () => watch.disconnect();
  }, [scale.value, graph]);

  const go = (at: number, takes_focus = true) => {
    const node = graph.nodes[at];
    if (!node) return;
    chosen_key.value = node.key;
    focus_soon.current = takes_focus;
    const element = box.current!;
    const part = scale.value;
    const [x, y] = [x_of(node) * part, y_of(node) * part];
    if (x < element.scrollLeft || x + wide * part > element.scrollLeft + element.clientWidth) element.scrollLeft = x + (wide * part - element.clientWidth) / 2;
    if (y < element.scrollTop || y + high * part > element.scrollTop + element.clientHeight) element.scrollTop = y + (high * part - element.clientHeight) / 2;
    look();
  };
  // What failed is what somebody comes for: of several what keeps most from beginning.
  useEffect(() => {
    const strands = ({ counts, rows }: NodeState) => (counts['failed'] ? 1 + rows.reduce((sum, row) => sum + (row.strands ?? 0), 0) : 0);
    const most = states.reduce((last, each) => Math.max(last, strands(each)), 0);
    if (most > 0) go(states.findIndex((each) => strands(each) === most), false);
  }, [steps]);
  useEffect(() => {
    if (!focus_soon.current) return;
    focus_soon.current = false;
    box.current?.querySelector<HTMLElement>('.graph-node[tabindex="0"]')?.focus({ preventScroll: true });
  });

  const fold = (path: string, is: boolean) => (folds.value = new Map(folds.value).set(path, is));
  const choose = (at: number) => {
    const node = graph.nodes[at]!;
    if (at !== chosen) return go(at);
    // Once more: what is in it.
    if (node.is_module) fold(node.address, true);
    else if (states[at]!.rows.length === 1) open(states[at]!.rows[0]!.addr);
  };
  const nearest = (all: readonly number[], to: number): number =>
    all.reduce((best, each) => (best < 0 || Math.abs(graph.nodes[each]!.y - graph.nodes[to]!.y) < Math.abs(graph.nodes[best]!.y - graph.nodes[to]!.y) ? each : best), -1);
  const key = (event: KeyboardEvent) => {
    const from = Math.max(chosen, 0);
    const node = graph.nodes[from];
    if (!node || event.ctrlKey || event.altKey || event.metaKey) return;
    let to = -1;
    if (event.key === 'ArrowLeft') to = nearest(node.before, from);
    else if (event.key === 'ArrowRight') to = nearest(node.after, from);
    else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      const up = event.key === 'ArrowUp';
      const beside = graph.nodes.flatMap((each, i) => (each.layer === node.layer && (up ? each.y < node.y : each.y > node.y) ? [i] : []));
      to = nearest(beside, from);
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (to >= 0) go(to);
  };
  const zoom = (by: number) => (scale.value = Math.min(1, Math.max(smallest, Math.round(100 * scale.value * by) / 100)));
  const fit = () => {
    const at = box.current!;
    scale.value = Math.min(1, Math.max(smallest, Math.min(at.clientWidth / width, at.clientHeight / height)));
  };
  const drag = (event: PointerEvent) => {
    if (event.buttons !== 1 || event.pointerType !== 'mouse') return;
    box.current!.scrollBy(-event.movementX, -event.movementY);
  };
  const is_beside = (at: number) => (at === chosen ? 'chosen' as const : chosen < 0 ? undefined : graph.nodes[chosen]!.before.includes(at) ? 'before' as const : graph.nodes[chosen]!.after.includes(at) ? 'after' as const : undefined);
  const total = steps.reduce((sum, { operations }) => sum + operations, 0);
  return (
    <>
      <p class="facts graph-tools">
        <span class="note">{`${total} ${total === 1 ? 'operation' : 'operations'} of ${steps.length} ${steps.length === 1 ? 'block' : 'blocks'}, ${graph.layers} ${graph.layers === 1 ? 'layer' : 'layers'}`}{critical.size > 0 && ', critical path marked'}</span>
        <button type="button" aria-label="smaller" onClick={() => zoom(.8)}>−</button>
        <button type="button" aria-label="larger" onClick={() => zoom(1.25)}>+</button>
        <button type="button" onClick={fit}>Fit</button>
        {modules.length > 0 && <button type="button" onClick={() => all_modules(false)}>Fold modules</button>}
        {modules.length > 0 && <button type="button" onClick={() => all_modules(true)}>Unfold all</button>}
      </p>
      <div ref={box} class="graph-box" role="group" tabIndex={0} aria-label="what comes before what, from left to right" onScroll={look} onKeyDown={key} onPointerMove={drag}>
        <div class="graph-all" style={{ width: `${width * scale.value}px`, height: `${height * scale.value}px` }}>
          <div class="graph-drawn" style={{ width: `${width}px`, height: `${height}px`, transform: `scale(${scale.value})` }}>
            <Edges graph={graph} sight={sight.value} chosen={chosen} critical={critical} width={width} height={height} />
            {graph.nodes.map((node, at) => {
              const in_sight = meets(sight.value, x_of(node), y_of(node), x_of(node) + wide, y_of(node) + high);
              if (!in_sight && at !== Math.max(chosen, 0)) return null;
              return <Node key={node.key} of={node} at={at} state={states[at]!} critical={critical.has(at)} relation={is_beside(at)}
                           faint={passing !== null && passing[at]!.total === 0} focus={at === Math.max(chosen, 0)} choose={choose} />;
            })}
          </div>
        </div>
      </div>
      {chosen >= 0 && <Chosen of={graph.nodes[chosen]!} state={states[chosen]!} graph={graph} go={go} />}
    </>
  );
}

export function GraphView() {
  const found = useSignal<readonly OrderStep[] | string | null>(null);
  const attachments = run.value?.attachments;
  const has = attachments?.includes('plan') || attachments?.includes('config') || false;
  const version = JSON.stringify([run_id.value, attachments]);
  useEffect(() => {
    found.value = null;
    if (!has || !source.order) return undefined;
    const stop = new AbortController();
    source.order(run_id.value, stop.signal).then((steps) => (found.value = steps), (why: Error) => stop.signal.aborted || (found.value = why.message));
    return () => stop.abort();
  }, [has, version]);
  const steps = found.value;
  return (
    <div id="graph">
      {!has ? <p class="note">Nothing is known of what comes before what: neither a plan nor a configuration is attached. <code>tofud run</code> attaches both; <code>tofud --plan FILE --config DIR</code> takes what you name.</p>
        : steps === null ? <p class="note" role="status">loading the order …</p>
          : typeof steps === 'string' ? <p class="note" role="status">{`the order can't be shown: ${steps}`}</p>
            : steps.length === 0 ? <p class="note">The plan changes nothing.</p>
              : <Drawing steps={steps} />}
    </div>
  );
}
