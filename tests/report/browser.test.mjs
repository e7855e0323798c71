// tests: the report in Debian's Chromium, used as a reader uses it. Run by ctest as report.browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Browser, pageTest, screenshot, violations } from './browser.mjs';

let browser;
before(async () => {
  browser = await Browser.start();
});
after(async () => {
  await browser?.stop();
});

const onPage = pageTest(() => browser);

const edges = (page) => page.locator('#events .edge:not(.gone) .line[marker-end]');
const tableRows = (page, caption) =>
  page.locator(`#events table:has(caption:has-text("${caption}")) tbody tr:not(:has(.empty))`);
const showTable = (page, section) =>
  page.locator(`${section} figure`).first().getByRole('button', { name: 'Table' }).click();

onPage('every part of the report is there and says something', 'video', {}, async (page) => {
  assert.equal(await page.title(), 'video: Thalweg report');
  for (const part of ['overview', 'events', 'handlers', 'opportunities', 'comparison', 'trust'])
    assert.ok((await page.locator(`#${part}`).innerText()).length > 100, part);
  assert.match(await page.locator('.headline').innerText(), /0\.871 of the original's time/);
  assert.equal(await edges(page).count(), 30);
  assert.equal(await page.locator('#events .node').count(), 18);
});

const costs = (page) => page.locator('#overview .costs > li');

onPage('the first page says what costs most, what was done about it and what it brought', 'video', {}, async (page) => {
  assert.equal(await page.locator('#overview figure h3').innerText(), 'What costs most');
  const rows = await costs(page).allInnerTexts();
  assert.equal(rows.length, 12);
  assert.match(rows[0], /^Adapt\s+~8\.5 ms\s+applied\s+Decision 3 merge: 2 handlers ran in the same order/);
  assert.match(rows[1], /^RateChange\s+~700 µs\s+refused\s+Decision 8 rebinds: its bindings changed 17 times/);
  assert.match(rows[2], /^Seg2Net\s+~417 µs/, 'most raises of all, and less time');
  assert.match(rows[8], /^FrameDue\s+~115 µs\s+no decision\s+no decision/);
  assert.match(await page.locator('.headline').innerText(), /0\.871 of the original's time/);
  await costs(page).first().getByRole('link', { name: 'Decision 3' }).click();
  await page.waitForFunction(() => document.activeElement.id === 'decision-3');
  await showTable(page, '#overview');
  const table = page.locator('#overview table tbody tr');
  assert.match(await table.first().innerText(), /^Adapt\s+~8\.5 ms ±120 µs\s+~9 ms ±100 µs\s+391\s+0\s+applied/);
  assert.match(await table.nth(1).innerText(), /^RateChange\s+~700 µs\s+~700 µs\s+17/, 'an error that nobody knows');
  assert.match(await table.last().innerText(), /^StartVideo\s+unknown\s+unknown\s+1\s/);
});

onPage('a run that nobody timed goes by its raises, and says so', 'large', {}, async (page) => {
  assert.equal(await page.locator('#overview figure h3').innerText(), 'What is raised most');
  const raises = (await costs(page).locator('.number').allTextContents()).map((text) =>
    Number(text.replaceAll(',', '')),
  );
  assert.deepEqual(
    raises,
    [...raises].sort((a, b) => b - a),
  );
  assert.match(await page.locator('#overview').innerText(), /nothing of this run was timed/);
  assert.match(await costs(page).first().innerText(), /nothing is planned yet/);
});

onPage('a large number stays on its line, and the whole of it is told', 'large', {}, async (page) => {
  const tile = page.locator('.tile').filter({ hasText: 'Dispatches' }).locator('strong');
  assert.match(await tile.innerText(), /^[\d.,]{1,9}[MBT]?$/);
  assert.match(await tile.locator('span').getAttribute('title'), /^[\d,]+$/);
  const { height, size } = await tile.evaluate((element) => ({
    height: element.getBoundingClientRect().height,
    size: parseFloat(getComputedStyle(element).fontSize),
  }));
  assert.ok(height < 2 * size, `${height} px for a line of ${size} px`);
});

onPage('system calls are a page of their own: graph, loop, ties, times and blocks', 'copying', {}, async (page) => {
  assert.equal(await page.locator('#calls').isVisible(), false);
  await page.locator('nav').getByRole('link', { name: 'System calls' }).click();
  const part = page.locator('#calls');
  await part.locator('.node').first().waitFor();
  assert.equal(await page.locator('#overview').isVisible(), false);
  assert.equal(await part.locator('.node').count(), 6);
  assert.equal(await part.locator('.edge:not(.gone) .line[marker-end]').count(), 6);
  const loop = part.locator('.sequence').first();
  assert.match(
    await loop.innerText(),
    /500 times at least, 500 of them again at once: a loop\s+read, copy\.c:12\s+write, copy\.c:13 after 350 ns/,
  );
  const rows = (caption) => part.locator(`table:has(caption:has-text("${caption}")) tbody tr`);
  assert.match(
    await rows('System calls: 6 sites').first().innerText(),
    /read, copy\.c:12\s+501\s+0\s+1\s+1\s+2,052,096\s+2,048,000\s+1\.55 µs/,
  );
  assert.match(
    await rows('What ties calls together').first().innerText(),
    /read.*write.*same buffer, result is size\s+500\s+350 ns\s+290 ns\s+40/s,
  );
  assert.match(await rows('What ties calls together').nth(1).innerText(), /500\s+unknown\s+unknown\s+0/);
  const weights = await part.locator('.weight').allTextContents();
  assert.match(weights.join('; '), /500 \u00b7 350 ns/);
  assert.match(await part.innerText(), /Times are of a sample of the calls/);
  assert.match(await rows('Large blocks').innerText(), /malloc, copy\.c:16\s+free, copy\.c:17\s+20/);
  await loop.getByRole('link', { name: 'write' }).click();
  await page.waitForFunction(() => location.hash === '#call-3');
  assert.match(await part.locator('.details').innerText(), /write[\s\S]*Bytes given\s+2,048,000[\s\S]*Follows\s+read/);
  assert.match(await page.locator('#trust .statement').first().innerText(), /every system call .* was counted/);
  await screenshot(page, 'system-calls');
  assert.deepEqual(await violations(page), []);
});

onPage('the twin of the system-call graph has its weights and times', 'copying', { hash: '#calls' }, async (page) => {
  await showTable(page, '#calls');
  const first = page.locator('#calls table:has(caption:has-text("Edges of weight")) tbody tr').first();
  assert.match(await first.innerText(), /read.*write.*uses its buffer or its result\s+500\s+350 ns/s);
});

onPage(
  'a link to a system call opens its page, one to another part leaves it',
  'copying',
  { hash: '#call-2' },
  async (page) => {
    const part = page.locator('#calls');
    await page.waitForFunction(() => document.querySelector('#calls .details h4:not(.minor)')?.textContent === 'read');
    assert.match(await part.locator('.details').innerText(), /Time in it\s+1\.55 µs, mean of 20/);
    await page.locator('nav').getByRole('link', { name: 'Overview' }).click();
    await page.locator('#overview').waitFor();
    assert.equal(await part.isVisible(), false);
    await page.locator('#overview').getByRole('link', { name: 'System calls at 6 sites' }).click();
    await part.waitFor();
    await page.goBack();
    await page.locator('#overview').waitFor();
    assert.equal(await part.isVisible(), false);
  },
);

onPage('calls of the C library are a page of their own', 'copying', {}, async (page) => {
  await page.locator('nav').getByRole('link', { name: 'C library' }).click();
  const part = page.locator('#library');
  await part.waitFor();
  assert.equal(await page.locator('#overview').isVisible(), false);
  const rows = (caption) => part.locator(`table:has(caption:has-text("${caption}")) tbody tr`);
  assert.match(await rows('Calls that print or read').first().innerText(), /printf, copy\.c:18\s+12,000\s+copy/);
  assert.match(await rows('Small blocks').first().innerText(), /malloc\s+6,000\s+4,500\s+75\.0 %\s+no decision/);
  assert.deepEqual(await violations(page), []);
});

onPage('a program without system calls has no part for them, nor for the C library', 'video', {}, async (page) => {
  assert.equal(await page.locator('#calls').count(), 0);
  assert.equal(await page.locator('#library').count(), 0);
});

onPage('the slider moves by keyboard: edges vanish, and the table twin agrees', 'video', {}, async (page) => {
  await showTable(page, '#events');
  const slider = page.locator('#event-eta');
  await slider.focus();
  const weights = await page.evaluate(() =>
    JSON.parse(document.getElementById('data').textContent).edges.map((e) => e.weight),
  );
  const distinct = [...new Set(weights)].sort((a, b) => a - b);
  for (const step of [1, 2, 3]) {
    await page.keyboard.press('ArrowRight');
    const left = weights.filter((weight) => weight >= distinct[step]).length;
    assert.ok(left < weights.length);
    assert.equal(await edges(page).count(), left);
    assert.equal(await tableRows(page, 'Edges of weight').count(), left);
    assert.match(await slider.getAttribute('aria-valuetext'), new RegExp(`= ${distinct[step]}: ${left} of 30 edges`));
  }
  await page.keyboard.press('End');
  assert.equal(await edges(page).count(), 1);
  assert.equal(await tableRows(page, 'What these edges connect').count(), 2);
  await page.keyboard.press('Home');
  assert.equal(await edges(page).count(), 30);
});

onPage('an exact threshold keeps an edge of just this weight', 'video', {}, async (page) => {
  const exact = page.locator('#events').getByLabel('Threshold \u03b7, exact');
  await exact.fill('366');
  await exact.press('Enter');
  const kept = await edges(page).count();
  await exact.fill('367');
  await exact.press('Enter');
  assert.equal(await edges(page).count(), kept - 1);
});

onPage('nodes are reached, walked and chosen by keyboard', 'video', {}, async (page) => {
  const focused = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
  await page.locator('#events .canvas').focus();
  await page.keyboard.press('Tab');
  assert.match(await focused(), /StartVideo 1 raise, no decision/);
  await page.keyboard.press('ArrowDown');
  assert.match(await focused(), /FrameDue/);
  await page.keyboard.press('ArrowDown');
  const chosen = (await focused()).split(' ')[0];
  await page.keyboard.press('Enter');
  await page.waitForFunction(
    (name) => document.querySelector('#events .details h4:not(.minor)')?.textContent === name,
    chosen,
  );
  assert.equal(await page.locator('#events .node[aria-pressed="true"]').count(), 1);
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('#events .details h4:not(.minor)'));
});

onPage('focus is visible', 'video', {}, async (page) => {
  for (let press = 0; press < 12; press++) {
    await page.keyboard.press('Tab');
    const seen = await page.evaluate(() => {
      const style = getComputedStyle(document.activeElement);
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    });
    assert.ok(seen, await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80)));
  }
});

onPage('a decision leads to its event, and the event back to its decision', 'video', {}, async (page) => {
  await page.locator('#decision-2').getByRole('link', { name: 'Seg2Net' }).click();
  await page.waitForFunction(
    () => document.querySelector('#events .details h4:not(.minor)')?.textContent === 'Seg2Net',
  );
  await page.locator('#events .details').getByRole('link', { name: 'Decision 2' }).click();
  await page.waitForFunction(() => document.activeElement.id === 'decision-2');
});

onPage('a link finds a decision that the filters hide', 'video', {}, async (page) => {
  await page.getByLabel('Find').fill('nothing is called like this');
  await page.locator('#trust').getByRole('link', { name: 'Decision 10' }).click();
  await page.waitForFunction(() => document.activeElement.id === 'decision-10');
});

onPage('decisions are filtered by word, by verdict and by kind of refusal', 'video', {}, async (page) => {
  const rows = page.locator('.decisions tbody tr[id]');
  assert.equal(await rows.count(), 10);
  await page.getByLabel('Show', { exact: true }).selectOption('refused');
  assert.equal(await rows.count(), 3);
  await page.getByLabel('Refused as').selectOption('rebinds');
  assert.deepEqual(await rows.locator('.event-name').allTextContents(), ['RateChange']);
  await page.getByLabel('Find').fill('segfromuser');
  assert.match(await page.locator('.decisions .empty').innerText(), /No decision fits/);
  await page.getByLabel('Refused as').selectOption('');
  await page.getByLabel('Show', { exact: true }).selectOption('');
  assert.deepEqual(await rows.locator('.event-name').allTextContents(), ['SegFromUser', 'Seg2Net']);
  assert.match(await page.locator('#opportunities [role="status"]').innerText(), /^2 of 10 decisions/);
});

onPage('decisions are sorted by a head, and the head says so', 'video', {}, async (page) => {
  const head = page.locator('.decisions th').filter({ hasText: 'Predicted gain' });
  await head.getByRole('button').press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'descending');
  const gains = (await page.locator('.decisions tbody td[data-title="Predicted gain"]').allTextContents()).map(
    parseFloat,
  );
  assert.deepEqual(
    gains,
    [...gains].sort((a, b) => b - a),
  );
  await head.getByRole('button').press('Enter');
  assert.equal(await head.getAttribute('aria-sort'), 'ascending');
});

onPage('every figure has a table twin', 'video', {}, async (page) => {
  for (const figure of await page.locator('figure').all()) {
    const title = await figure.locator('h3').first().innerText();
    await figure.getByRole('button', { name: 'Table' }).press('Space');
    assert.ok((await figure.locator('.twin tbody tr').count()) > 0, title);
    assert.ok(await figure.locator('.twin caption').first().isVisible(), title);
    await figure.getByRole('button', { name: 'Figure' }).press('Space');
    assert.ok(!(await figure.locator('.twin').isVisible()), title);
  }
});

onPage('applied, refused and stale events are drawn apart, and not by colour alone', 'video', {}, async (page) => {
  for (const [state, number] of [
    ['applied', 6],
    ['refused', 3],
    ['stale', 1],
    ['none', 8],
  ]) {
    assert.equal(await page.locator(`#events .node.${state}`).count(), number, state);
    assert.equal(await page.locator(`#events .node.${state} .mark path`).count(), state === 'none' ? 0 : number, state);
  }
  const dashes = async (mode) =>
    page
      .locator(`#events .canvas .edge.${mode} .line`)
      .first()
      .evaluate((line) => getComputedStyle(line).strokeDasharray);
  assert.equal(new Set(await Promise.all(['sync', 'async', 'timed', 'external'].map(dashes))).size, 4);
});

onPage('guards, differences and lost dispatches are told', 'video', {}, async (page) => {
  const trust = await page.locator('#trust').innerText();
  assert.match(trust, /52 failures/);
  assert.match(trust, /the body of wfc_open is not the one recorded/);
  assert.match(trust, /RateChange\s+17\s+17/);
  assert.match(await page.locator('#comparison').innerText(), /Outputs are equal: stdout, exit, frames\.digest\./);
});

onPage('the handler graph and the chains are those that the graph room found', 'video', {}, async (page) => {
  const graphs = await page.evaluate(() => JSON.parse(document.getElementById('data').textContent).graphs);
  assert.ok(graphs.handlers.nodes.length > 40 && graphs.chains.length > 0);
  assert.equal(await page.locator('#handlers .node').count(), graphs.handlers.nodes.length);
  assert.equal(await page.locator('#handlers .edge .line[marker-end]').count(), graphs.handlers.edges.length);
  const steps = new Set(graphs.chains.flatMap(({ events }) => events.slice(1).map((to, at) => `${events[at]} ${to}`)));
  assert.equal(await page.locator('#events .canvas .edge.strong').count(), steps.size);
  await page.locator('#events').getByRole('button', { name: 'as for the paths' }).click();
  assert.equal(await page.getByLabel('Threshold \u03b7, exact').first().inputValue(), String(graphs.eta));
});

onPage('names that would like to be markup are text', 'hostile', {}, async (page) => {
  assert.match(await page.title(), /Thalweg report$/);
  assert.equal(await page.locator('img, iframe, object, embed, link').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  assert.match(
    await page.locator('#decision-1 .event-name').innerText(),
    /^SegFromUser<\/script><script>document\.title=/,
  );
  for (const name of ['System calls', 'Overview']) {
    await page.locator('nav').getByRole('link', { name }).click();
    for (const figure of await page.locator('figure').all())
      if (await figure.isVisible()) await figure.getByRole('button', { name: 'Table' }).click();
  }
  await page.locator('#events .twin a').first().click();
  await page.waitForFunction(() =>
    document.querySelector('#events .details h4:not(.minor)')?.textContent.includes('<script>'),
  );
  assert.match(await page.title(), /Thalweg report$/);
  assert.match(await page.locator('#comparison').innerText(), /Outputs differ/);
  await page.locator('#layers figure').getByRole('button', { name: 'Figure' }).click();
  for (const part of await page.locator('#layers details.layer').all())
    if (!(await part.evaluate((element) => element.open))) {
      await part.locator('summary').first().press('Enter');
      await part.locator('tbody tr').first().waitFor();
    }
  assert.match(await page.locator('#layers .code').first().innerText(), /^<\/script><script>document\.title=/);
  assert.match(await page.locator('#layers .why').first().innerText(), /^<\/script><script>document\.title=/);
  const reasons = page.locator('#layers .why').first();
  assert.equal(await reasons.locator('span:visible').count(), 1);
  await reasons.getByText('3 more reasons').click();
  assert.equal(await reasons.locator('span:visible').count(), 4);
  assert.match(await page.locator('#layers .problem').innerText(), /without their text: <\/script>/);
  assert.match(await page.locator('#layers tr.trusted').innerText(), /4294967295\s+sgt/);
  assert.match(await page.title(), /Thalweg report$/);
});

onPage('an empty profile says in words that there is nothing', 'empty', {}, async (page) => {
  assert.match(await page.locator('.headline').innerText(), /No event was raised/);
  assert.match(await page.locator('#opportunities').innerText(), /No plan was made/);
  assert.match(await page.locator('#comparison').innerText(), /Nothing was measured yet/);
  assert.match(await page.locator('#trust').innerText(), /Nothing was dispatched/);
});

onPage('a program in which no function is specialised has no panel for layers', 'video', {}, async (page) => {
  assert.equal(await page.locator('#layers, nav a[href="#layers"]').count(), 0);
});

onPage('a plan that nobody carried out is shown as planned', 'planned', {}, async (page) => {
  assert.equal(await page.locator('#events .node.planned').count(), 7);
  assert.match(await page.locator('.headline').innerText(), /10 opportunities: 7 planned, 3 refused/);
});

test('500 events and 3,000 edges are drawn within seconds, also all of them', { timeout: 120_000 }, async () => {
  const mostMilliseconds = 10_000; // alone it takes 2 s and 4 s; other tests run beside it
  const start = performance.now();
  const { page, problems, close } = await browser.open('large');
  await page.locator('#events .node').first().waitFor();
  assert.ok(performance.now() - start < mostMilliseconds, `first drawing: ${performance.now() - start} ms`);
  const shown = await edges(page).count();
  assert.ok(shown >= 10 && shown <= 120, `${shown} edges at first`);
  const all = performance.now();
  await page.locator('#event-eta').press('Home');
  await page.waitForFunction(() => document.querySelectorAll('#events .edge .line[marker-end]').length === 3000, null, {
    timeout: 60_000,
  });
  assert.ok(performance.now() - all < mostMilliseconds, `all edges: ${performance.now() - all} ms`);
  await page.evaluate(() => {
    location.hash = 'event-499';
  });
  await page.waitForFunction(
    () => document.querySelector('#events .details h4:not(.minor)')?.textContent === 'event_499',
  );
  assert.deepEqual(problems, []);
  await close();
});

// What the page's time to open depends on, whatever the machine does meanwhile.
onPage('of 2,000 decisions the first rows are made at once, the others on demand', 'thousands', {}, async (page) => {
  const rows = page.locator('.decisions tbody tr[id]');
  assert.ok((await page.evaluate(() => document.querySelectorAll('*').length)) < 15_000);
  assert.equal(await rows.count(), 200);
  assert.match(await page.locator('#opportunities [role="status"]').innerText(), /^2,000 of 2,000 decisions/);
  const more = page.locator('.decisions tr.more');
  assert.match(await more.innerText(), /^1,800 rows more\. Show 200 of them$/);
  await more.getByRole('button').press('Enter');
  assert.equal(await rows.count(), 400);
  assert.equal(await page.evaluate(() => document.activeElement.id), 'decision-201');
  await page.locator('.decisions th').filter({ hasText: 'Predicted gain' }).getByRole('button').press('Enter');
  assert.match(await rows.first().innerText(), /2,002 ms/, 'all are sorted, not those that are shown');
  await page.getByLabel('Find').fill('event_1999');
  assert.equal(await rows.count(), 1);
  assert.equal(await more.count(), 0);
});

onPage('a link finds a decision whose row was not made yet', 'thousands', { hash: '#decision-1900' }, async (page) => {
  await page.waitForFunction(() => document.activeElement.id === 'decision-1900');
  await page.getByLabel('Find').fill('event_12');
  await page.evaluate(() => {
    location.hash = 'decision-777';
  });
  await page.waitForFunction(() => document.activeElement.id === 'decision-777');
});

for (const colorScheme of ['light', 'dark']) {
  onPage(
    `nothing that axe-core knows of is wrong, ${colorScheme}`,
    'video',
    { colorScheme, hash: '#event-3' },
    async (page) => {
      for (const view of ['Figure', 'Table']) {
        for (const figure of await page.locator('figure').all())
          await figure.getByRole('button', { name: view }).click();
        // What is not chosen steps back on purpose while an event is; without a choice everything has its full contrast.
        if (view === 'Table')
          await page.evaluate(() => {
            location.hash = '#events';
          });
        assert.deepEqual(await violations(page), []);
      }
    },
  );
}

// axe-core looks at no text of a drawing, so this one is held against the ground it stands on here.
for (const colorScheme of ['light', 'dark'])
  onPage(`words in the drawing can be read, ${colorScheme}`, 'video', { colorScheme }, async (page) => {
    const least = await page.evaluate(() => {
      const luminance = (colour) => {
        const parts = colour
          .match(/[\d.]+/g)
          .slice(0, 3)
          .map((part) => Number(part) / 255);
        const [r, g, b] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const contrast = (one, other) => {
        const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
        return (light + 0.05) / (dark + 0.05);
      };
      const found = [];
      for (const node of document.querySelectorAll('#events .node')) {
        const ground = getComputedStyle(node.querySelector('.box')).fill;
        for (const text of node.querySelectorAll('text')) found.push(contrast(getComputedStyle(text).fill, ground));
      }
      for (const text of document.querySelectorAll('#events .weight'))
        found.push(contrast(getComputedStyle(text).fill, getComputedStyle(text).stroke));
      return found.length > 50 ? Math.min(...found) : 0;
    });
    assert.ok(least >= 4.5, `contrast ${least}`);
  });

onPage('dark follows the system, and the chooser overrules it', 'video', { colorScheme: 'dark' }, async (page) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const dark = await ground();
  await page.getByRole('button', { name: 'Light' }).click();
  assert.notEqual(await ground(), dark);
  await page.reload();
  assert.notEqual(await ground(), dark, 'the choice is kept');
  await page.getByRole('button', { name: 'Auto' }).click();
  assert.equal(await ground(), dark);
});

onPage('nothing moves that the reader did not move', 'video', {}, async (page) => {
  const shift = await page.evaluate(
    () =>
      new Promise((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value;
        }).observe({ type: 'layout-shift', buffered: true });
        setTimeout(() => resolve(sum), 500);
      }),
  );
  assert.ok(shift < 0.01, `layout shift ${shift}`);
});

for (const name of ['video', 'hostile', 'empty'])
  onPage(
    `${name} on a narrow screen is not wider than the screen`,
    name,
    { viewport: { width: 360, height: 740 } },
    async (page) => {
      const [content, screen] = await page.evaluate(() => [
        document.documentElement.scrollWidth,
        document.documentElement.clientWidth,
      ]);
      assert.ok(content <= screen, `${content} > ${screen}`);
    },
  );

onPage('on paper there are no controls, and the drawing is whole', 'video', {}, async (page) => {
  await page.emulateMedia({ media: 'print' });
  for (const control of ['nav', '.segmented', '.zoom', '.filters', 'input[type="range"]'])
    assert.equal(await page.locator(control).first().isVisible(), false, control);
  const [drawing, paper] = await page.evaluate(() => [
    document.querySelector('.graph').getBoundingClientRect().width,
    document.querySelector('main').getBoundingClientRect().width,
  ]);
  assert.ok(drawing <= paper);
});

test('screenshots for the eye', { timeout: 60_000, skip: !process.env.THALWEG_SCREENSHOTS }, async () => {
  const looks = [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark', hash: '#event-3' }],
    ['narrow', { viewport: { width: 390, height: 844 } }],
  ];
  for (const [name, options] of looks) {
    const { page, close } = await browser.open('video', options);
    await screenshot(page, name);
    await close();
  }
});
