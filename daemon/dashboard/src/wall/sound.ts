// A tone for new trouble, for a room in which nobody looks up. Off until somebody clicks: browsers make no sound for a page
// that nobody has touched, and who hears it should have asked for it. A page that was loaded again is silent again.
import { effect, signal } from '@preact/signals';
import { trouble_of, type Card } from './cards.js';

/** Of the tone, in Hz and s; loud enough for a room, too short to annoy. */
const low_hz = 440;
const high_hz = 660;
const each_s = 0.18;
const volume = 0.2;

export const on = signal(false);

let context: AudioContext | null = null;

function tone(): void {
  if (!context) return;
  const loudness = context.createGain();
  loudness.gain.value = volume;
  loudness.connect(context.destination);
  [high_hz, low_hz].forEach((frequency, at) => {
    const made = context!.createOscillator();
    made.frequency.value = frequency;
    made.connect(loudness);
    made.start(context!.currentTime + at * each_s);
    made.stop(context!.currentTime + (at + 1) * each_s);
  });
}

/** By a click: the only way to a sound. */
export function toggle(): void {
  on.value = !on.value;
  if (on.value) {
    context ??= new AudioContext();
    void context.resume();
    tone(); // so that it is known what will be heard, and how loud
  } else {
    void context?.suspend();
  }
}

/** Sounds when trouble comes that was not there before. `cards`: null while it is not known which there are. */
export function mind_trouble(cards: () => readonly Card[] | null): void {
  let before: Set<string> | null = null;
  effect(() => {
    const shown = cards();
    if (!shown) return; // what comes back is compared with what was there
    const now = trouble_of(shown);
    const news = before !== null && [...now].some((each) => !before!.has(each));
    before = now;
    if (news && on.peek()) tone();
  });
}
