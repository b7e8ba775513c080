// Two texts, line by line.

export type LineMark = 'none' | 'create' | 'delete';
export interface DiffLine {
  mark: LineMark;
  text: string;
}

/** Cells of the table below that a browser fills in an instant. */
const most_cells = 1_000_000;

/** The lines of two texts, those that both have once. Texts that differ too widely: the one, then the other. */
export function line_diff(before: string, after: string): DiffLine[] {
  const old = before.split('\n');
  const fresh = after.split('\n');
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old[old.length - 1 - tail] === fresh[fresh.length - 1 - tail]) tail++;
  const same = (lines: string[]): DiffLine[] => lines.map((text) => ({ mark: 'none', text }));
  const middle = between(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail));
  return [...same(old.slice(0, head)), ...middle, ...same(old.slice(old.length - tail))];
}

function between(old: string[], fresh: string[]): DiffLine[] {
  const gone = (text: string): DiffLine => ({ mark: 'delete', text });
  const come = (text: string): DiffLine => ({ mark: 'create', text });
  if (old.length * fresh.length > most_cells) return [...old.map(gone), ...fresh.map(come)];
  // Of the longest common subsequence of what follows old[i] and fresh[j].
  const width = fresh.length + 1;
  const length = new Uint32Array((old.length + 1) * width);
  for (let i = old.length; i-- > 0;) {
    for (let j = fresh.length; j-- > 0;) {
      length[i * width + j] = old[i] === fresh[j] ? length[(i + 1) * width + j + 1]! + 1
        : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      lines.push({ mark: 'none', text: old[i++]! });
      j++;
    } else if (length[(i + 1) * width + j]! >= length[i * width + j + 1]!) {
      lines.push(gone(old[i++]!));
    } else {
      lines.push(come(fresh[j++]!));
    }
  }
  return [...lines, ...old.slice(i).map(gone), ...fresh.slice(j).map(come)];
}
