// The keys, what signs mean, and which run this is exactly.
// A script of its own (frame/late.tsx).
import { both_times, help, keys, run, signs, useLayoutEffect, useRef } from '../shared.js';
import { plan_words } from '../values/groups.js';

/** In the middle of the window; Escape closes it, and what had the focus has it again. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => dialog.current!.showModal(), []); // at once: Escape closes what is open
  const close = () => (help.value = false);
  const of = run.value;
  return (
    <dialog id="help" ref={dialog} aria-label="keys and signs" onClose={close} onClick={(event) => event.target === dialog.current && close()}>
      <h2>Keys</h2>
      <dl>{keys.map(([key, what]) => <div key={key}><dt><kbd>{key}</kbd></dt><dd>{what}</dd></div>)}</dl>
      <h2>Signs</h2>
      <dl>{plan_words.map(({ is, word }) => <div key={is}><dt><span class="sign" data-action={is}>{signs[is]}</span></dt><dd>{word}</dd></div>)}</dl>
      {of && <>
        <h2>This run</h2>
        <dl>
          <div><dt>id</dt><dd>{of.key}</dd></div>
          {of.started_at && <div><dt>began</dt><dd>{both_times(of.started_at)}</dd></div>}
          {of.ended_at && <div><dt>ended</dt><dd>{both_times(of.ended_at)}</dd></div>}
          {of.verified && <div><dt>verified</dt><dd>{`${Object.entries(of.verified).map(([name, value]) => `${name} ${value}`).join(', ')}: tofud has checked the sender's token`}</dd></div>}
          {Object.keys(of.labels).length > 0 && <div><dt>labels</dt><dd>{Object.entries(of.labels).map(([name, value]) => `${name}=${value}`).join(', ')}: the sender says so, tofud does not check it</dd></div>}
        </dl>
      </>}
      <form method="dialog"><button type="submit">close</button></form>
    </dialog>
  );
}
