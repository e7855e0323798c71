// tests: what became of each line of a program that was really specialised, in the report. Run by ctest as report.layers.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Browser, pageTest, screenshot, violations } from './browser.mjs';

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
  run('thalweg', 'plan', 'day.profile', '--eta', '1000000000', '-o', 'refused.plan');
  run('thalweg', 'report', 'day.profile', '--plan', 'refused.plan', '--html', 'refused.html');
  report('guarded');
  report('trusted', '--trusted');
  const inFolder = (name) => join(browser.folder, name);
  const plan = readFileSync(inFolder('guarded.plan'), 'utf8');
  const inner = plan.slice(plan.indexOf('[[decision]]')).replace('id = 1\n', 'id = 2\nparent = 1\n');
  writeFileSync(inFolder('inner.plan'), `${plan}\n${inner}`);
  run('thalweg', 'report', '--plan', 'inner.plan', '--html', 'inner.html');
  const declared = ['--plan', 'trusted.plan', '--outcome', 'trusted.outcome', '--html', 'declared.html'];
  run('thalweg', 'report', ...declared);
});
after(async () => {
  await browser?.stop();
});

const onPage = pageTest(() => browser);

const part = (page, name) =>
  page.locator('#layers details.layer').filter({ has: page.locator(`summary code:text("${name}")`) });
// Lines are drawn when a function is opened, in the browser's own time.
async function open(page, name) {
  await part(page, name).locator('summary').first().press('Enter');
  await part(page, name).locator('tbody tr').first().waitFor();
}
const row = (page, name, text) => part(page, name).locator('tbody tr').filter({ hasText: text });

onPage('each line has a colour, letters, counts, and reasons', 'guarded', {}, async (page) => {
  await page.locator('nav').getByRole('link', { name: 'Layers' }).click();
  assert.match(await page.locator('#layer-1').innerText(), /applied.*calls unfolded.*instructions more/);
  assert.match(await page.locator('#layer-1 .layer-facts').innerText(), /arg0->0 = &plain_operations tested where/);
  const call = row(page, 'send_all', 'operations->put');
  assert.equal(await call.getAttribute('class'), 'guarded');
  assert.equal(await call.locator('.marks > span').first().innerText(), 'sdg');
  assert.match(await call.locator('.why').innerText(), /[1-9]\d* facts? tested here\s+\w/);
  await open(page, 'put_plain');
  const store = row(page, 'put_plain', '*sink->place = value;');
  assert.equal(await store.getAttribute('class'), 'dynamic');
  assert.match((await store.locator('.number').allInnerTexts()).join(' '), /^25 0 [1-9]/);
  const mixed = row(page, 'put_plain', 'sink->place == sink->end');
  assert.equal(await mixed.getAttribute('class'), 'mixed');
  assert.match(
    await mixed.locator('.why').textContent(),
    /arg0->8 may have been overwritten by the write \(layered\.c:26\)/,
  );
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
  assert.equal(await part(page, 'put_plain').locator('tbody tr').count(), 0);
  const functions = await page.evaluate(
    () => JSON.parse(document.getElementById('data').textContent).outcome.decisions[0].functions,
  );
  const told = functions.flatMap(({ lines }) =>
    lines.filter(({ marks, reasons }) => marks !== '' || reasons.length > 0),
  );
  await open(page, 'put_plain');
  const lines = functions.find((one) => one.function === 'put_plain').lines;
  assert.equal(await part(page, 'put_plain').locator('tbody tr').count(), lines.length);
  await page.locator('#layers').getByRole('button', { name: 'Table' }).press('Enter');
  const rows = page.locator('#layers .twin tbody tr');
  assert.equal(await rows.count(), told.length);
  const left = async () => (await page.locator('#layers .twin td[data-title="Left"]').allInnerTexts()).map(Number);
  const most = await left();
  assert.deepEqual(
    most,
    [...most].sort((a, b) => b - a),
  );
  await page.locator('#layers .twin').getByRole('button', { name: 'Left' }).press('Enter');
  assert.deepEqual(
    await left(),
    [...most].sort((a, b) => a - b),
  );
  await page.locator('#layers .twin').getByRole('button', { name: 'Left' }).press('Enter');
  assert.equal(await rows.first().locator('td[data-title="Left"]').innerText(), String(Math.max(...most)));
  assert.match(
    await rows.filter({ hasText: '*sink->place = value;' }).innerText(),
    /put_plain\s+25\s+dynamic\s+0\s+[1-9]/,
  );
});

onPage(
  'of a declared plan there is no recorded run to show, and what is trusted stands under Trust',
  'declared',
  {},
  async (page) => {
    assert.equal(await page.locator('#events, #handlers').count(), 0);
    assert.match(await page.locator('.headline').innerText(), /1 opportunity: 1 applied/);
    assert.match(await page.locator('#trust .stale').innerText(), /1 fact trusted, not tested/);
    await page.locator('#trust').getByRole('link', { name: 'Decision 1' }).click();
    await page.waitForFunction(() => location.hash === '#layer-1');
  },
);

onPage('where facts are tested nothing is said to be trusted', 'guarded', {}, async (page) => {
  assert.equal(await page.locator('#trust .statement.stale, #layers .source .trusted, .trusted-word').count(), 0);
});

onPage('functions that were refused are counted, and lead to their reasons', 'refused', {}, async (page) => {
  assert.match(await page.locator('#layers').innerText(), /No function is specialised/);
  assert.equal(await page.locator('#layers figure, #layers .legend').count(), 0);
  assert.match(await page.locator('#layers details').innerText(), /2 functions not specialised\s+send_all too-cold/);
  await page.locator('#layers').getByRole('link', { name: 'send_all' }).click();
  await page.waitForFunction(() => document.activeElement.id.startsWith('decision-'));
});

onPage('an opportunity leads to its source', 'guarded', {}, async (page) => {
  await page.locator('#decision-1').getByRole('link', { name: 'send_all' }).click();
  await page.waitForFunction(() => location.hash === '#layer-1');
  assert.match(await page.locator('#decision-1').innerText(), /specialize for 1 fact/);
});

onPage('an opportunity inside of another one names it', 'inner', {}, async (page) => {
  assert.match(await page.locator('#decision-2').innerText(), /specialize for 1 fact, inside decision 1/);
  assert.doesNotMatch(await page.locator('#decision-1').innerText(), /inside decision/);
});

for (const colorScheme of ['light', 'dark'])
  for (const name of ['guarded', 'trusted', 'declared'])
    onPage(`nothing that axe-core knows of is wrong, ${name}, ${colorScheme}`, name, { colorScheme }, async (page) => {
      await open(page, 'put_plain');
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
    await open(page, 'put_plain');
    const [content, screen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= screen, `${content} > ${screen}`);
  },
);
