// Writes the types of the feed's lines, control.ts and rows.ts of protocol/feed/client, from its schema. `.ci/page` calls it.
//
//   node rows.mjs FOLDER
//
// It knows the keywords that feed.schema.json uses, and stops at any other: a type must not say less than the schema by accident.
import { readFileSync, writeFileSync } from 'node:fs';

const folder = process.argv[2];
if (!folder) {
  console.error('rows.mjs: name the folder to write to');
  process.exit(2);
}

const schema = JSON.parse(readFileSync(new URL('../../protocol/feed/feed.schema.json', import.meta.url), 'utf8'));
const definitions = schema.$defs;

// These say which values are right, not what they are.
const of_values = ['minimum', 'maximum', 'pattern', 'format', 'minItems', 'uniqueItems', 'dependentRequired', 'propertyNames'];
const known = [...of_values, 'title', 'description', 'type', 'properties', 'required', 'allOf', 'oneOf', 'enum', 'const', '$ref', 'items',
  'additionalProperties'];

const named = (reference) => reference.slice('#/$defs/'.length);
const pascal = (name) => definitions[name].title ?? name.split('_').map((word) => word[0].toUpperCase() + word.slice(1)).join('');
/** Whether it is a type by itself; others, such as `count`, are written out where they are used. */
const has_type = (definition) => definition.properties !== undefined || definition.enum !== undefined;
const word = (value) => (typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : String(value));
const primitive = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' };

function type_of(of, depth) {
  const unknown = Object.keys(of).filter((keyword) => !known.includes(keyword));
  if (unknown.length > 0) throw new Error(`rows.mjs does not know ${unknown.join(', ')} in ${JSON.stringify(of)}`);
  if (of.$ref) return has_type(definitions[named(of.$ref)]) ? pascal(named(of.$ref)) : type_of(definitions[named(of.$ref)], depth);
  if (of.oneOf) return of.oneOf.map((each) => type_of(each, depth)).join(' | ');
  if (of.enum) return of.enum.map(word).join(' | ');
  if ('const' in of) return word(of.const);
  if (of.properties) return `{\n${members(of, depth + 1)}${'  '.repeat(depth)}}`;
  if (of.additionalProperties) {
    return `{ [name: string]: ${type_of(of.additionalProperties, depth)} }`;
  }
  if (of.type === 'array') {
    const items = type_of(of.items, depth);
    return / \| /.test(items) && !items.startsWith('{') ? `(${items})[]` : `${items}[]`;
  }
  if (of.type === undefined) return 'unknown';
  return [of.type].flat().map((each) => primitive[each]).join(' | ');
}

const comment = (of, indent) => (of.description ? `${indent}/** ${of.description} */\n` : '');

function members(of, depth) {
  const indent = '  '.repeat(depth);
  return Object.entries(of.properties).map(([name, each]) =>
    `${comment(each, indent)}${indent}${name}${of.required?.includes(name) ? '' : '?'}: ${type_of(each, depth)};\n`).join('');
}

/** A definition with what it says of members of its bases: that they are required. */
function declaration(name) {
  const of = definitions[name];
  if (of.enum) return `${comment(of, '')}export type ${pascal(name)} = ${type_of(of, 0)};\n`;
  const { kind, ...own } = of.properties;
  const bases = (of.allOf ?? []).map((each) => pascal(named(each.$ref)));
  if (bases.length === 0 && kind) bases.push('Line');
  const inherited = (of.required ?? []).filter((each) => !of.properties[each]);
  const said = {
    ...(kind?.const && { kind }),
    ...Object.fromEntries(inherited.map((each) => [each, definitions.row.properties[each]])),
    ...own,
  };
  const all = { properties: said, required: ['kind', ...(of.required ?? [])] };
  return `${comment(of, '')}export interface ${pascal(name)}${bases.length > 0 ? ` extends ${bases.join(', ')}` : ''} {\n${members(all, 1)}}\n`;
}

/** What of it a client holds. */
const is_row = (name) => definitions[name].allOf && !['log', 'text'].includes(name);

const kinds = schema.anyOf.map((each) => named(each.$ref)).filter((name) => name !== 'of_a_newer_version');
const types = Object.keys(definitions).filter((name) => name !== 'of_a_newer_version' && has_type(definitions[name]));
/** What says something about the connection, and is held by nobody. */
const is_control = (name) => name !== 'row' && definitions[name].properties?.kind !== undefined && !definitions[name].allOf;
const control = types.filter(is_control);
const made_of = '// Made of ../feed.schema.json by .ci/page --write.';
writeFileSync(`${folder}/control.ts`, `${made_of} The lines of the feed about the feed itself: where it begins, what is missing, that it goes on.

/** Any line, also of a kind that is not known here: with a \`key\` it is a row as any, without one it is skipped. */
export interface Line {
  kind: string;
}

${control.map(declaration).join('\n')}`);
writeFileSync(`${folder}/rows.ts`, `${made_of} What the lines of the feed hold, member by member; protocol/feed/README.md says when
// each is sent. Minor versions add members and kinds: take no member for the last one.
import type { ${['Line', ...control.map(pascal)].join(', ')} } from './control.js';

/** A line of this version of the feed; its \`kind\` says which. */
export type KnownLine =
${kinds.map((name) => `  | ${pascal(name)}`).join('\n')};

/** The rows and views that a client holds, by kind. */
export interface RowOf {
${kinds.filter(is_row).map((name) => `  ${name}: ${pascal(name)};`).join('\n')}
}

${types.filter((name) => !is_control(name)).map(declaration).join('\n')}`);
