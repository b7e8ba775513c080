// A menu: closed by Escape, by a click elsewhere, and when the focus goes on.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export interface MenuBoxProps {
  id: string;
  words: string;
  children: ComponentChildren;
}

export function MenuBox({ id, words, children }: MenuBoxProps) {
  const box = useRef<HTMLDetailsElement>(null);
  const left = (to: EventTarget | null) => {
    // A dialog gives the focus back.
    if (to instanceof Element && !box.current!.contains(to) && !to.closest('dialog')) box.current!.open = false;
  };
  useEffect(() => {
    const pressed = (event: PointerEvent) => left(event.target);
    addEventListener('pointerdown', pressed);
    return () => removeEventListener('pointerdown', pressed);
  }, []);
  const escape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.current!.open) return;
    event.stopPropagation();
    box.current!.open = false;
    box.current!.querySelector('summary')!.focus();
  };
  return (
    <details id={id} class="menu" ref={box} onFocusOut={(event) => left(event.relatedTarget)} onKeyDown={escape}>
      <summary>{words}</summary>
      <div class="menu-of">{children}</div>
    </details>
  );
}
