// report: usage: node bundle.mjs OUTPUT.cc: page.html, *.ts and *.css become two C++ strings.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as esbuild from 'esbuild';

const output = process.argv[2];
const here = dirname(fileURLToPath(import.meta.url));

// Older browsers than these lack light-dark(), on which the page's colours rest.
const browsers = ['chrome123', 'firefox120', 'safari17.5'];
// A string literal longer than this is more than compilers must take ([implimits] of the C++ standard).
const longestLiteral = 65536;

async function bundle(entry) {
  const result = await esbuild.build({
    entryPoints: [join(here, entry)],
    bundle: true,
    minify: true,
    write: false,
    target: browsers,
    format: 'iife',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return result.outputFiles[0].text.trim();
}

// The licence of dagre asks that its text goes with each copy.
function licences() {
  const text = ['dagre', 'graphlib']
    .map(
      (name) =>
        `@dagrejs/${name}\n${readFileSync(join(here, 'node_modules', '@dagrejs', name, 'LICENSE'), 'utf8').trim()}`,
    )
    .join('\n\n');
  if (text.includes('*/')) throw new Error('a licence text would end the comment that it stands in');
  return `/* This page draws with\n${text}\n*/\n`;
}

function sha256(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

function literal(text) {
  const pieces = [];
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += longestLiteral / 8)
    pieces.push(`R"THALWEG(${bytes.subarray(at, at + longestLiteral / 8).toString('latin1')})THALWEG"`);
  return pieces.join('\n    ');
}

const style = await bundle('page.css');
const script = licences() + (await bundle('main.ts'));
if (/<\/(style|script)|<!--/i.test(style + script)) throw new Error('the bundle would end its own element');
// Nothing may be loaded from anywhere, and no script runs but the one that was built here.
const csp = `default-src 'none'; script-src ${sha256(script)}; style-src ${sha256(style)}`;

const fill = { csp, style, script };
const [head, tail] = readFileSync(join(here, 'page.html'), 'utf8')
  .replace(/\n<!-- report:.*-->/, '')
  .split('{{data}}')
  .map((part) => part.replace(/\{\{(\w+)\}\}/g, (_, name) => fill[name]));

writeFileSync(
  output,
  Buffer.from(
    `// report: made by src/report/web/bundle.mjs.
#include <string_view>

namespace thalweg::report {
extern const std::string_view page_head;
extern const std::string_view page_tail;
const std::string_view page_head =
    ${literal(head)};
const std::string_view page_tail =
    ${literal(tail)};
}  // namespace thalweg::report
`,
    'latin1',
  ),
);
