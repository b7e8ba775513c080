// What changes in a text that is YAML, path by path: `spec.replicas: 2 → 3`.

export interface PathChange {
  path: string;
  /** JSON of it; nothing: it is not there. */
  before?: string;
  after?: string;
}

/** Looks at values: more of a text nobody reads, and aliases may make a small text a large tree. */
const most_looks = 20_000;
/** Characters of a value. */
const most_of_value = 200;

/** Longer texts are compared line by line alone. */
const most_bytes = 64 * 1024;

/** Its first line that says something begins a mapping, a list or a document. JSON is drawn as such. */
export function looks_like_yaml(text: string): boolean {
  if (text.length > most_bytes || !text.includes('\n')) return false;
  const first = text.split('\n', 50).find((line) => line.trim() !== '' && !line.trimStart().startsWith('#')) ?? '';
  return /^(---( |$)|- |"?[\w./-]{1,100}"?:( |$))/.test(first);
}

const is_tree = (value: unknown): value is object => typeof value === 'object' && value !== null;

const short = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return text.length > most_of_value ? `${text.slice(0, most_of_value)}…` : text;
};

const step = (path: string, key: string, in_list: boolean): string =>
  in_list ? `${path}[${key}]` : /^[\w-]+$/.test(key) ? (path ? `${path}.${key}` : key) : `${path}[${JSON.stringify(key)}]`;

/** null: there is too much to be looked at. Empty: they mean the same. */
export function changed_paths(before: unknown, after: unknown): PathChange[] | null {
  const found: PathChange[] = [];
  let looks = 0;
  // A whole subtree that is new or gone is one change; it may be large, too.
  const told = (value: unknown): string => {
    const open = [value];
    for (let at = 0; at < open.length; at++) {
      if (++looks > most_looks) return '…';
      const of = open[at];
      if (is_tree(of)) for (const each of Object.values(of)) open.push(each);
    }
    return short(value);
  };
  const open: [string, unknown, unknown][] = [['', before, after]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, one, other] = next;
    if (++looks > most_looks) return null;
    if (is_tree(one) && is_tree(other) && Array.isArray(one) === Array.isArray(other)) {
      const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].reverse();
      looks += keys.length;
      if (looks > most_looks) return null;
      const [olds, news] = [one as { [key: string]: unknown }, other as { [key: string]: unknown }];
      for (const key of keys) {
        const here = step(path, key, Array.isArray(one));
        if (!Object.hasOwn(olds, key)) found.push({ path: here, after: told(news[key]) });
        else if (!Object.hasOwn(news, key)) found.push({ path: here, before: told(olds[key]) });
        else open.push([here, olds[key], news[key]]);
      }
    } else if (is_tree(one) || is_tree(other) || !Object.is(one, other)) {
      found.push({ path, before: told(one), after: told(other) });
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}
