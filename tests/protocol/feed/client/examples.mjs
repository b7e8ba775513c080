// The examples of the client's README.md: `node examples.mjs FOLDER` writes those in JavaScript to FOLDER/NAME.mjs.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(new URL('../../../../protocol/feed/client/README.md', import.meta.url), 'utf8');
for (const [, name, text] of page.matchAll(/^```js run=(\w+)\n([\s\S]*?)^```$/gm)) writeFileSync(join(process.argv[2], `${name}.mjs`), text);
