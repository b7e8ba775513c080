// What a user of the client's declarations may write, and what not. Compiled by .ci/page, never run.
import { Feed, Fold, type FeedError, type KnownLine, type Line, type Resource } from './client.mjs';

const feed = new Feed('http://127.0.0.1:8638/v1/stream', { run: 'latest' }, {
  lines(lines: Line[]) {
    for (const line of lines as KnownLine[]) {
      if (line.kind === 'log') line.text.toUpperCase();
      if (line.kind === 'error') error(line);
      // @ts-expect-error a kind that there is not
      if (line.kind === 'weather') return;
      // @ts-expect-error only rows have a key
      line.key;
    }
  },
  link(link) {
    if (link.is === 'stale') link.since.toFixed();
    // @ts-expect-error only while offline
    link.retry_at;
  },
});
const error = (of: FeedError): number => of.code;

const one: Resource | undefined = feed.fold.rows('resource')['a'];
if (one) {
  one.steps.map((each) => each.provisioners?.length);
  // @ts-expect-error there may be none
  one.steps[0]!.provisioners.length;
  // @ts-expect-error no such word
  one.status === 'ready';
}
new Fold().rows('of a newer version')['x']?.key.length;
// @ts-expect-error a question has no `status`
new Feed('', { status: 'failed' }, {});
