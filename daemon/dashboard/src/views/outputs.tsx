// What the configuration gives out: sign of change, type, value; long ones fold.
// A script of its own (frame/late.tsx).
import type { Output } from '../../../../protocol/feed/client/client.js';
import { Sign } from '../detail/change_tree.js';
import { Copy, shown, useSignal } from '../shared.js';
import { at_first, More, whole } from './more.js';
import { raw_text, type_text, value_text } from '../values/output_words.js';

/** Characters of a value that is drawn folded. */
const long = 300;

const signs = ['create', 'update', 'delete'] as const;

function Row({ of }: { of: Output }) {
  const unfolded = useSignal(false);
  const value = value_text(of);
  const sign = signs.find((each) => each === of.action);
  return (
    <tr data-action={sign}>
      <td>{sign && <Sign of={sign} />}</td>
      <td class="name">{of.name}</td>
      <td class="type">{type_text(of.type)}</td>
      <td class="value"><div class={value.length > long && !unfolded.value ? 'folded' : undefined}>{value}</div></td>
      <td class="remark">
        {of.applied === false && 'not applied '}
        {of.deprecated !== null && `deprecated: ${of.deprecated} `}
        {value.length > long && <button type="button" class="fold" aria-pressed={unfolded.value}
                                        onClick={() => (unfolded.value = !unfolded.value)}>{`${value.length} characters`}</button>}
        {!of.sensitive && of.value !== undefined && <Copy text={() => raw_text(of)} label="" />}
        {whole(of)}
      </td>
    </tr>
  );
}

export function Outputs() {
  const everything = useSignal(false);
  const rows = shown.value.output.rows;
  if (rows.length === 0) return <p class="note">This run has given no outputs.</p>;
  const drawn = everything.value ? rows : rows.slice(0, at_first);
  return (
    <section aria-labelledby="outputs-title">
      <h2 id="outputs-title">outputs</h2>
      <table id="outputs">
        <thead><tr>{['+/-', 'name', 'type', 'value', 'note'].map((each) => <th key={each} scope="col">{each}</th>)}</tr></thead>
        <tbody>{drawn.map((row) => <Row key={row.key} of={row} />)}</tbody>
      </table>
      <More all={rows.length} shown_now={drawn.length} then={() => (everything.value = true)} />
    </section>
  );
}
