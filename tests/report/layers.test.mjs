// tests: what became of each line of a program that was really specialised, in the report. Run by ctest as report.layers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Browser, screenshot, violations } from './browser.mjs';

const source = join(dirname(fileURLToPath(import.meta.url)), '../flow/layered.c');
const fact = 'arg0->0 = &plain_operations';
let browser;

before(async () => {
  browser = await Browser.start();
  const run = (program, ...words) =>
    execFileSync(join(process.env.THALWEG_BIN, program), words, { cwd: browser.folder, stdio: 'pipe' });
  copyFileSync(source, join(browser.folder, 'layered.c'));
  run('thalweg-cc', '-O2', '-g', 'layered.c', '-o', 'prog');
  run('thalweg', 'record', '-o', 'day.profile', '--', './prog');
  const report = (name, ...how) => {
    run('thalweg', 'specialize', './prog', '--function', 'send_all', '--fact', fact, '-o', name, ...how);
    const files = ['--plan', `${name}.plan`, '--outcome', `${name}.outcome`, '--html', `${name}.html`];
    run('thalweg', 'report', 'day.profile', ...files);
  };
  report('guarded');
  report('trusted', '--trusted');
});
after(async () => {
  await browser?.stop();
});

function onPage(claim, name, options, body) {
  test(claim, { timeout: 60_000 }, async () => {
    const { page, problems, close } = await browser.open(name, options);
    try {
      await body(page);
      assert.deepEqual(problems, []);
    } finally {
      await close();
    }
  });
}

const part = (page, name) =>
  page.locator('#layers details').filter({ has: page.locator(`summary code:text("${name}")`) });
const row = (page, name, text) => part(page, name).locator('tbody tr').filter({ hasText: text });

onPage('each line has a colour, letters, counts, and reasons', 'guarded', {}, async (page) => {
  await page.locator('nav').getByRole('link', { name: 'Layers' }).click();
  assert.match(await page.locator('#layer-1').innerText(), /applied.*calls unfolded.*instructions more/);
  assert.match(await page.locator('#layer-1 .layer-facts').innerText(), /arg0->0 = &plain_operations tested where/);
  const call = row(page, 'send_all', 'operations->put');
  assert.equal(await call.getAttribute('class'), 'guarded');
  assert.equal(await call.locator('.marks > span').first().innerText(), 'sdg');
  assert.match(await call.locator('.why').innerText(), /2 facts tested here\s+i is not the same on all ways/);
  await part(page, 'put_plain').locator('summary').click();
  const store = row(page, 'put_plain', '*sink->place = value;');
  assert.equal(await store.getAttribute('class'), 'dynamic');
  assert.deepEqual(await store.locator('.number').allInnerTexts(), ['25', '0', '1']);
  const mixed = row(page, 'put_plain', 'sink->place == sink->end');
  assert.equal(await mixed.getAttribute('class'), 'mixed');
  assert.match(await mixed.locator('.why').innerText(), /arg0->8 may have been overwritten by the write/);
  const last = row(page, 'put_plain', /\}$/).last();
  assert.equal(await last.getAttribute('class'), 'static');
  assert.equal(await row(page, 'put_plain', 'return 0;').getAttribute('class'), 'plain');
});

onPage('what is trusted is red, and says so in words', 'trusted', {}, async (page) => {
  const call = row(page, 'send_all', 'operations->put');
  assert.equal(await call.getAttribute('class'), 'trusted');
  assert.match(await call.locator('.why').innerText(), /trusted, not tested/);
  assert.match(await page.locator('#layer-1 .layer-facts').innerText(), /trusted: not tested/);
  const [red, green, blue] = await call
    .locator('.marks')
    .evaluate((cell) => getComputedStyle(cell).backgroundColor.match(/\d+/g).map(Number));
  assert.ok(red > 2 * green && red > blue, `${red} ${green} ${blue}`);
});

onPage('functions are opened and the twin is sorted by keyboard', 'guarded', {}, async (page) => {
  const summary = part(page, 'put_plain').locator('summary');
  assert.equal(await part(page, 'put_plain').locator('tbody tr').count(), 0);
  await summary.press('Enter');
  assert.equal(await part(page, 'put_plain').locator('tbody tr').count(), 8);
  await page.locator('#layers').getByRole('button', { name: 'Table' }).press('Enter');
  const rows = page.locator('#layers .twin tbody tr');
  assert.equal(await rows.count(), 9);
  await page.locator('#layers .twin').getByRole('button', { name: 'Left' }).press('Enter');
  const left = (await page.locator('#layers .twin td[data-title="Left"]').allInnerTexts()).map(Number);
  assert.deepEqual(
    left,
    [...left].sort((a, b) => b - a),
  );
  assert.match(await rows.first().innerText(), /send_all\s+34\s+dynamic\s+0\s+6\s+0\s+0\s+for \(int i = 0;/);
});

onPage('an opportunity leads to its source', 'guarded', {}, async (page) => {
  await page.locator('#decision-1').getByRole('link', { name: 'send_all' }).click();
  await page.waitForFunction(() => location.hash === '#layer-1');
  assert.match(await page.locator('#decision-1').innerText(), /specialize for 1 fact/);
});

for (const colorScheme of ['light', 'dark'])
  for (const name of ['guarded', 'trusted'])
    onPage(`nothing that axe-core knows of is wrong, ${name}, ${colorScheme}`, name, { colorScheme }, async (page) => {
      await part(page, 'put_plain').locator('summary').click();
      assert.deepEqual(await violations(page), []);
      await screenshot(page, `layers-${name}-${colorScheme}`);
      await page.locator('#layers').getByRole('button', { name: 'Table' }).click();
      assert.deepEqual(await violations(page), []);
    });

onPage(
  'on a narrow screen it is not wider than the screen',
  'guarded',
  { viewport: { width: 360, height: 740 } },
  async (page) => {
    await part(page, 'put_plain').locator('summary').click();
    const [content, screen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= screen, `${content} > ${screen}`);
  },
);
