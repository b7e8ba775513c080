// Builds dist/ of the page and of the feed's client; the same bytes wherever it runs. `.ci/page` calls it.
//
//   node build.mjs FOLDER        writes FOLDER/page and FOLDER/client, and FOLDER/node_modules/page-parts for tests
import { execFileSync } from 'node:child_process';
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

const used = ['preact', '@preact/signals', '@preact/signals-core', 'js-yaml'].map((name) => {
  const folder = join(here, 'node_modules', name);
  const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return { said: `${name} ${version} (${license})`, licence: readFileSync(join(folder, 'LICENSE'), 'utf8').trim() };
});

// Scripts that are loaded later have one copy of the library with the page, see src/shared.ts.
const of_the_page = {
  name: 'of-the-page',
  setup(build) {
    build.onResolve({ filter: /^((\.\.?\/)+shared\.js|preact\/jsx-runtime)$/ }, () => ({ path: 'shared', namespace: 'of-the-page' }));
    build.onLoad({ filter: /.*/, namespace: 'of-the-page' }, () => ({ contents: 'module.exports = globalThis.tofud_shared' }));
  },
};
const hash = (bytes) => createHash('sha256').update(bytes).digest('hex').slice(0, 12);
const yaml = await text({ entryPoints: ['src/yaml.ts'], format: 'esm', minify: true });
const yaml_script = `./yaml.${hash(yaml)}.js`;
const late_build = await build({
  ...common, metafile: true, define: { LIBRARIES: JSON.stringify(used.map((each) => each.said)), YAML_SCRIPT: JSON.stringify(yaml_script) }, external: [yaml_script],
  entryPoints: ['src/late_parts.ts'], format: 'esm', minify: true, jsx: 'automatic', jsxImportSource: 'preact', plugins: [of_the_page],
});
const late = late_build.outputFiles[0].text;
const doubled = Object.keys(late_build.metafile.inputs).filter((each) => each.includes('node_modules/') || each.endsWith('/model.ts') || each.endsWith('/choice.ts'));
if (doubled.length > 0) {
  console.error(`build.mjs: late.js has its own copy of ${doubled.join(', ')}, whose state it does not share with the page; import it from shared.js`);
  process.exit(1);
}
const late_script = `./late.${hash(late)}.js`;
const late_style_text = await text({ entryPoints: ['src/style/late.css'], minify: true });
const late_style = `late.${hash(late_style_text)}.css`;
const tokens = await text({ entryPoints: ['src/style/tokens.css'], minify: true });
/** The wall may be told its theme: dark tokens by name, beside those by what the browser prefers. */
const themes = (style) => {
  const [all, dark] = /@media\s?\(prefers-color-scheme:\s?dark\)\{:root(\{[^}]*\})\}/.exec(tokens);
  return style.replace(all, `:root[data-theme=dark]${dark.replace('{', '{color-scheme:dark;')}:root[data-theme=light]{color-scheme:light}`);
};

/** A page of its own: its script, its style, and its HTML. */
async function page(name, script_of, style_of, html_of, more) {
  const script = await text({
    entryPoints: [script_of], format: 'iife', minify: true, jsx: 'automatic', jsxImportSource: 'preact', ...more.options,
  });
  const style = (more.themes ?? ((same) => same))(await text({ entryPoints: [style_of], minify: true }));
  // The program serves script and style under names that hold their hash, so that browsers keep them for ever.
  const html = readFileSync(join(here, html_of), 'utf8')
    .replace(`"${name}.js"`, `"${name}.${hash(script)}.js"`)
    .replace(`"${name}.css"`, `"${name}.${hash(style)}.css"`);
  return { [`${name}.js`]: script, [`${name}.css`]: style, [html_of.split('/').at(-1)]: html };
}

const define = { YAML_SCRIPT: JSON.stringify(yaml_script), LATE_SCRIPT: JSON.stringify(late_script), LATE_STYLE: JSON.stringify(late_style), LIBRARIES: JSON.stringify(used.map((each) => each.said)) };
const run_page = await page('page', 'src/main.tsx', 'src/style.css', 'src/index.html', { options: { define, external: [late_script] } });
// A report has no server to ask: its script has all parts.
const all_parts = {
  name: 'all-parts',
  setup: (build) => build.onResolve({ filter: /^\.\/late\.[0-9a-f]{12}\.js$/ }, () => ({ path: join(here, 'src/late_parts.ts') })),
};
const report = await text({
  entryPoints: ['src/main.tsx'], format: 'iife', minify: true, jsx: 'automatic', jsxImportSource: 'preact', plugins: [all_parts],
  define, external: [yaml_script],
});
const report_style = run_page['page.css'] + late_style_text;
// All components side by side, for tests that look at them; plain names, since nobody serves it.
const gallery = {
  'gallery.js': await text({ entryPoints: ['src/gallery/main.tsx'], format: 'iife', minify: true, jsx: 'automatic', jsxImportSource: 'preact', plugins: [all_parts], define, external: [yaml_script] }),
  'gallery.css': await text({ entryPoints: ['src/gallery/gallery.css'], minify: true }),
  'gallery.html': readFileSync(join(here, 'src/gallery/gallery.html'), 'utf8'),
};
const wall = await page('wall', 'src/wall/main.tsx', 'src/wall/wall.css', 'src/wall/wall.html', { themes });
const client = await text({
  entryPoints: ['../../protocol/feed/client/client.ts'], format: 'esm', platform: 'neutral',
});

const licences = used.map(({ said, licence }) => `${said}\n\n${licence}\n`);

// The declarations of the client in one file: those of the modules that client.ts exports, which import nothing but each other.
function declarations() {
  const folder = join(out, 'declarations');
  execFileSync('node_modules/.bin/tsc', ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rootDir', '../..', '--outDir', folder],
    { cwd: here, stdio: 'inherit' });
  const emitted = (name) => readFileSync(join(folder, 'protocol/feed/client', `${name}.d.ts`), 'utf8');
  const modules = [...emitted('client').matchAll(/^export \* from '\.\/(\w+)\.js';$/gm)].map((found) => found[1]);
  return modules.map((name) => emitted(name).replace(/^(import|\/\/) .*\n/gm, '')).join('\n');
}

const parts = join(out, 'node_modules/page-parts');
mkdirSync(parts, { recursive: true });
writeFileSync(join(parts, 'package.json'), '{"name": "page-parts", "type": "module", "main": "parts.js"}\n');
writeFileSync(join(parts, 'parts.js'), await text({ entryPoints: ['src/parts.ts'], format: 'esm', platform: 'neutral' }));
mkdirSync(join(out, 'page'), { recursive: true });
mkdirSync(join(out, 'client'), { recursive: true });
const written = {
  ...run_page, ...wall, 'late.js': late, 'yaml.js': yaml, 'late.css': late_style_text, 'report.js': report, 'report.css': report_style, 'tokens.css': tokens, ...gallery, 'LICENSES.txt': `page.js, wall.js and yaml.js contain these libraries:\n\n${licences.join('\n----\n\n')}`,
};
for (const name of ['tofud.webmanifest', 'icon.svg']) written[name] = readFileSync(join(here, 'src', name), 'utf8');
for (const [name, bytes] of Object.entries(written)) writeFileSync(join(out, 'page', name), bytes);
const made_of = '// Made of ../client.ts by .ci/page --write; part of tofud, Mozilla Public License 2.0.\n';
writeFileSync(join(out, 'client/client.mjs'), made_of + client);
writeFileSync(join(out, 'client/client.d.mts'), made_of + declarations());
