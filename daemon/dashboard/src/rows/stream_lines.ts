// The stream as it came, bounded: the newest lines of so many characters.

/** Asked for, and held at most. */
export const most_held = 16 * 1024 * 1024;

export class StreamLines {
  lines: string[] = [];
  private held = 0;

  /** `cut`: older lines are not held. */
  constructor(public cut = false, private readonly most = most_held) {}

  add(more: readonly string[]): void {
    for (const line of more) {
      this.lines.push(line);
      this.held += line.length + 1;
    }
    if (this.held <= this.most) return;
    let gone = 0;
    // To less than the most, so that a line costs little; the newest line stays, however long.
    while (this.held > 0.9 * this.most && gone < this.lines.length - 1) this.held -= this.lines[gone++]!.length + 1;
    this.lines = this.lines.slice(gone);
    this.cut ||= gone > 0;
  }
}
