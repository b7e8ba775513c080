// The parser of YAML, a script of its own: loaded when somebody looks at a text that is YAML (detail/yaml_tree.tsx).
import { CORE_SCHEMA, loadAll } from 'js-yaml';

/** A document, or a list of them. Throws what is wrong. Dates and binaries stay texts. */
export function parse(text: string): unknown {
  const all = loadAll(text, undefined, { schema: CORE_SCHEMA });
  return all.length === 1 ? all[0] : all;
}
