// Builds dist/ of the page and of the feed's client; the same bytes wherever it runs. `.ci/page` calls it.
//
//   node build.mjs FOLDER        writes FOLDER/page and FOLDER/client, and FOLDER/node_modules/page-parts for tests
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2];
if (!out) {
  console.error('build.mjs: name the folder to write to');
  process.exit(2);
}

const common = {
  absWorkingDir: here,
  bundle: true,
  charset: 'ascii', // the inline script of a report then needs no care about encodings
  legalComments: 'none', // LICENSES.txt has them
  logLevel: 'warning',
  target: 'es2020',
  write: false,
};
const text = async (options) => (await build({ ...common, ...options })).outputFiles[0].text;

/** A page of its own: its script, its style, and its HTML. */
async function page(script_of, style_of, html_of, name) {
  const script = await text({
    entryPoints: [script_of], format: 'iife', minify: true, jsx: 'automatic', jsxImportSource: 'preact',
  });
  const style = await text({ entryPoints: [style_of], minify: true });
  // The program serves script and style under names that hold their hash, so that browsers keep them for ever.
  const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const html = readFileSync(join(here, html_of), 'utf8')
    .replace(`"${name}.js"`, `"${name}.${hash(script)}.js"`)
    .replace(`"${name}.css"`, `"${name}.${hash(style)}.css"`);
  return { script, style, html };
}

const run_page = await page('src/main.tsx', 'src/style.css', 'src/index.html', 'page');
const wall = await page('src/wall/main.tsx', 'src/wall/wall.css', 'src/wall/wall.html', 'wall');
const client = await text({
  entryPoints: ['../../protocol/feed/client/client.ts'], format: 'esm', platform: 'neutral',
});

const used = ['preact', '@preact/signals', '@preact/signals-core'];
const licences = used.map((name) => {
  const folder = join(here, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
});

const parts = join(out, 'node_modules/page-parts');
mkdirSync(parts, { recursive: true });
writeFileSync(join(parts, 'package.json'), '{"name": "page-parts", "type": "module", "main": "parts.js"}\n');
writeFileSync(join(parts, 'parts.js'), await text({ entryPoints: ['src/parts.ts'], format: 'esm', platform: 'neutral' }));
mkdirSync(join(out, 'page'), { recursive: true });
mkdirSync(join(out, 'client'), { recursive: true });
writeFileSync(join(out, 'page/page.js'), run_page.script);
writeFileSync(join(out, 'page/page.css'), run_page.style);
writeFileSync(join(out, 'page/index.html'), run_page.html);
writeFileSync(join(out, 'page/wall.js'), wall.script);
writeFileSync(join(out, 'page/wall.css'), wall.style);
writeFileSync(join(out, 'page/wall.html'), wall.html);
writeFileSync(join(out, 'page/LICENSES.txt'),
  `page.js and wall.js contain these libraries:\n\n${licences.join('\n----\n\n')}`);
writeFileSync(join(out, 'client/client.mjs'),
  `// Made of ../client.ts by .ci/page --write; part of tofud, Mozilla Public License 2.0.\n${client}`);
