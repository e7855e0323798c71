// tests: the tour's table and bars in Debian's Chromium. Run by ctest as report.tour.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';

import { Browser, pageTest, screenshot, violations } from './browser.mjs';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
});

const onPage = pageTest(() => browser);

const program = (page, title) => page.locator('.programs > li').filter({ hasText: title });
// Of the bars of a program: how far they and their whiskers reach, as shares of the track, as the browser lays them out.
const bars = (page, title) =>
  program(page, title)
    .locator('svg')
    .evaluateAll((drawings) =>
      drawings.map((drawing) => {
        const track = drawing.getBoundingClientRect();
        const share = (x) => (x - track.left) / track.width;
        const whisker = drawing.querySelectorAll('line')[1].getBoundingClientRect();
        return {
          bar: share(drawing.querySelector('rect').getBoundingClientRect().right),
          one: share(drawing.querySelector('.one').getBoundingClientRect().left),
          low: share(whisker.left),
          high: share(whisker.right),
        };
      }),
    );
const near = (found, expected, what) =>
  assert.ok(Math.abs(found - expected) < 0.01, `${what}: ${found}, not ${expected}`);

onPage('each program has a line of the table and a bar for each way to have it', 'sample', {}, async (page) => {
  assert.equal(await page.locator('table tbody tr').count(), 4);
  assert.deepEqual(await page.locator('thead th').allTextContents(), [
    'program',
    'original',
    'LTO',
    'PGO + LTO',
    'optimised',
    'by hand',
    'optimised, 95 %',
    'verdict',
  ]);
  assert.match(await page.locator('tbody tr').nth(2).innerText(), /an order book\s+1\.28\s+1\.21\s+1\.00\s+1\.00\s+–/);
  const ways = (title) => program(page, title).locator('dt').allTextContents();
  assert.deepEqual(await ways('a decoder'), ['original', 'LTO', 'PGO + LTO', 'optimised', 'by hand']);
  assert.deepEqual(await ways('an order book'), ['original', 'LTO', 'PGO + LTO', 'optimised']);
  assert.deepEqual(await ways('a child'), ['optimised', 'by hand']);
  await screenshot(page, 'tour');
});

onPage('bars and whiskers are as long as their figures', 'sample', {}, async (page) => {
  const drawn = await bars(page, 'a decoder');
  const scale = drawn[2].bar; // PGO + LTO is 1
  near(drawn[2].one, scale, 'where 1 is');
  for (const [at, ratio] of [1.97, 1.96, 1, 1.36, 0.18].entries()) {
    near(drawn[at].bar, ratio * scale, `bar ${at}`);
    assert.ok(drawn[at].high <= 1, `whisker ${at} ends at ${drawn[at].high} of the track`);
  }
  near(drawn[3].low, 1.36 * 0.95 * scale, 'whisker from');
  near(drawn[3].high, 1.36 * 1.05 * scale, 'whisker to');
});

onPage('what is behind is said as plainly as what is ahead', 'sample', {}, async (page) => {
  assert.match(await page.locator('.headline').innerText(), /^4 programs: 1 ahead, 1 level, 2 behind\.$/);
  const verdicts = await page.locator('tbody .badge').allInnerTexts();
  assert.deepEqual(verdicts, [
    'ahead of PGO + LTO: 75 % less time',
    'behind PGO + LTO: 36 % more time',
    'level with PGO + LTO',
    'behind by hand: 30 % more time',
  ]);
  const colour = (title) =>
    program(page, title)
      .locator('dd:not(.other) rect')
      .evaluate((rect) => getComputedStyle(rect).fill);
  const colours = await Promise.all(['packets', 'a decoder', 'an order book'].map(colour));
  assert.equal(new Set(colours).size, 3, colours.join());
  assert.equal(await colour('a child'), colours[1]);
});

onPage('a name is text, and nothing on the page runs', 'sample', {}, async (page) => {
  assert.equal(await page.locator('img, script, iframe, link').count(), 0);
  assert.match(await page.locator('tbody th').first().innerText(), /^packets <img src=x onerror=alert\(1\)> & more$/);
});

for (const colorScheme of ['light', 'dark'])
  onPage(`nothing that axe-core knows of is wrong, ${colorScheme}`, 'sample', { colorScheme }, async (page) => {
    assert.deepEqual(await violations(page), []);
  });

onPage(
  'on a narrow screen it is not wider than the screen',
  'sample',
  { viewport: { width: 360, height: 740 } },
  async (page) => {
    const [content, screen] = await page.evaluate(() => [
      document.documentElement.scrollWidth,
      document.documentElement.clientWidth,
    ]);
    assert.ok(content <= screen, `${content} px on ${screen} px`);
  },
);

onPage('./bench tour makes such a page of a real run', 'toy', {}, async (page) => {
  assert.equal(await page.locator('tbody tr').count(), 1);
  assert.match(
    await page.locator('tbody tr').innerText(),
    /^order book of callbacks\s+\d+\.\d\d\s+\d+\.\d\d\s+1\.00\s+\d+\.\d\d\s+–/,
  );
  assert.equal(await program(page, 'order book').locator('svg').count(), 4);
});
