// An address as people read it. It leads to the resource.
import type { Resource } from '../../../../protocol/feed/client/client.js';
import { shown_address } from '../values/address.js';
import { fragment } from '../values/words.js';

export function ShownAddress({ of }: { of: Pick<Resource, 'addr' | 'module'> }) {
  const { path, name } = shown_address(of);
  return <a class="address" href={fragment(of.addr)} data-says={of.addr}>{path && <span class="head">{path}</span>}{name}</a>;
}
