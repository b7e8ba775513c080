// The newest lines of each address (or of the stream itself), bounded: a provisioner may print for ever.
import type { Row } from '../../../../protocol/feed/client/client.js';

/** Lines kept of one address, and of all together. */
export const lines_each = 2000;
export const lines_all = 50_000;

export interface Kept<T> {
  lines: T[];
  /** Older lines were here and are not any more, or never came. */
  cut: boolean;
}

export class Lines<T extends Row> {
  private kept = new Map<string, Kept<T>>();
  private count = 0;
  private gapped = false;

  constructor(private readonly each = lines_each, private readonly all = lines_all) {}

  of(name: string): Kept<T> | undefined {
    return this.kept.get(name);
  }

  /** The newest lines of all, in the order in which they came. Others may be missing between them. */
  newest(most: number): T[] {
    const found: T[] = [];
    for (const { lines } of this.kept.values()) found.push(...lines.slice(-most));
    return found.sort((one, other) => (one.seq ?? 0) - (other.seq ?? 0)).slice(-most);
  }

  add(name: string, line: T): void {
    let place = this.kept.get(name);
    if (!place) this.kept.set(name, (place = { lines: [], cut: this.gapped }));
    const { lines } = place;
    // After a resume lines may come again; they come in order of seq.
    const last = lines[lines.length - 1];
    if (last?.seq !== undefined && line.seq !== undefined && line.seq <= last.seq) return;
    lines.push(line);
    this.count++;
    // Trimmed in bulk, so that a line costs little.
    if (lines.length > 2 * this.each) this.trim(place, this.each);
    if (this.count > this.all) this.trim_the_longest();
  }

  /** Lines that never came are missing before those that come now; whose they are nobody knows. */
  gap(): void {
    this.gapped = true;
    for (const place of this.kept.values()) place.cut = true;
  }

  clear(): void {
    this.kept.clear();
    this.count = 0;
    this.gapped = false;
  }

  private trim(place: Kept<T>, keep: number): void {
    this.count -= place.lines.length - keep;
    // A new array: whoever draws from the old one does so until told.
    place.lines = place.lines.slice(place.lines.length - keep);
    place.cut = true;
  }

  private trim_the_longest(): void {
    let longest: Kept<T> | undefined;
    for (const place of this.kept.values()) {
      if (!longest || place.lines.length > longest.lines.length) longest = place;
    }
    if (longest) this.trim(longest, longest.lines.length >> 1);
  }
}
