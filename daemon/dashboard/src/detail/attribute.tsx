// What schemas know of the attribute that a diagnostic names.
import type { Attribute } from '../../../../protocol/feed/client/client.js';

export function AttributeCard({ of }: { of: Attribute }) {
  const kind = [of.value_type ?? 'block', of.required && 'required', of.sensitive && 'sensitive'].filter(Boolean).join(', ');
  return (
    <div class="attribute">
      <p class="name"><code>{of.path}</code>{` (${kind})`}</p>
      {of.description && <p class="about">{of.description}</p>}
      <ul class="known">
        {of.default !== undefined && <li>default <code>{JSON.stringify(of.default)}</code></li>}
        {of.validators?.map((each, i) => <li key={i}>validator <code>{each}</code></li>)}
        {of.replacement && <li>{`a change ${of.replacement === 'certain' ? 'requires' : 'may require'} replacement`}</li>}
        {of.deprecated && <li>{of.deprecated === 'deprecated' ? of.deprecated : `deprecated: ${of.deprecated}`}</li>}
      </ul>
    </div>
  );
}
