// What changes in a text that is YAML, above its lines. The parser is loaded when such a text is looked at.
// A script of its own (frame/late.tsx).
import { saved, useEffect, useSignal } from '../shared.js';
import { changed_paths, type PathChange } from '../values/yaml_changes.js';

/** Its name holds its hash; build.mjs says it. */
declare const YAML_SCRIPT: string;

/** Drawn before it is said how many more there are. */
const most = 100;

export function YamlTree({ before, after }: { before: string; after: string }) {
  const found = useSignal<PathChange[] | null>(null);
  useEffect(() => {
    let wanted = true;
    found.value = null;
    // A file has nobody to ask; the lines are there in any case.
    if (saved.value) return undefined;
    (import(YAML_SCRIPT) as Promise<{ parse(text: string): unknown }>).then(({ parse }) => {
      if (wanted) found.value = changed_paths(parse(before), parse(after));
    }).catch(() => undefined); // no YAML after all
    return () => void (wanted = false);
  }, [before, after]);
  if (!found.value) return null;
  if (found.value.length === 0) return <p class="note">The YAML means the same.</p>;
  return (
    <ul class="yaml-changes" aria-label="what changes in the YAML">
      {found.value.slice(0, most).map(({ path, before: old, after: now }) => (
        <li key={path}><code>{path || '(all of it)'}</code>{': '}{old !== undefined && <span class="value before">{old}</span>}
          {old !== undefined && now !== undefined && <span aria-hidden="true"> → </span>}{now !== undefined ? <span class="value after">{now}</span> : <span class="note"> is gone</span>}
          {old === undefined && <span class="note"> is new</span>}</li>
      ))}
      {found.value.length > most && <li class="note">{`and ${found.value.length - most} more`}</li>}
    </ul>
  );
}
